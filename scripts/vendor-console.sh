#!/bin/sh
# Writes static/vendor: the scripts, styles, icons and fonts that the Console's page is made of, from the versions in
# tools/console-vendor/package-lock.json; and tests/vendor: what its tests are made of. The same versions give the same files, so that a second run changes nothing.
set -eu

cd "$(dirname "$0")/.."
source=tools/console-vendor
vendor=static/vendor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source/package.json" "$source/package-lock.json" "$work"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null)
packages="$work/node_modules"
rm -rf "$vendor"
mkdir -p "$vendor/licences"

# Without banners and source maps, whose addresses the page must not have; licences lie beside.
bare() {
    sed -e 's#/\*![^*]*\*/##g' -e 's#//\# sourceMappingURL=.*##' -e 's#/\*\# sourceMappingURL=[^*]*\*/##' "$packages/$1"
}

# Modules name one another by files, since an import map would be a script within the page.
module() {
    bare "$1" | sed \
        -e 's#from"preact/hooks"#from"./hooks.js"#g' \
        -e 's#from"preact"#from"./preact.js"#g' \
        -e 's#from"@preact/signals-core"#from"./signals-core.js"#g' >"$vendor/$2"
}

module preact/dist/preact.mjs preact.js
module preact/hooks/dist/hooks.mjs hooks.js
module htm/dist/htm.mjs htm.js
module @preact/signals-core/dist/signals-core.mjs signals-core.js
module @preact/signals/dist/signals.mjs signals.js
{
    bare uplot/dist/uPlot.iife.min.js
    echo 'export default uPlot;'
} >"$vendor/uplot.js"
bare uplot/dist/uPlot.min.css >"$vendor/uplot.css"
bare basecoat-css/dist/basecoat.cdn.min.css >"$vendor/basecoat.css"
# What the page uses of the modules, for the check of its types; the packages' own types are more than their code.
cp "$source"/types/*.d.ts "$vendor"
cp "$packages/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" "$vendor/inter.woff2"
cp "$packages/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2" "$vendor/jetbrains-mono.woff2"

# One sprite of the icons that the page uses.
{
    echo '<svg xmlns="http://www.w3.org/2000/svg">'
    while read -r icon; do
        printf '<symbol id="%s" viewBox="0 0 24 24">' "$icon"
        tr '\n' ' ' <"$packages/lucide-static/icons/$icon.svg" | sed -e 's#.*<svg[^>]*>##' -e 's#</svg>.*##' -e 's#  *# #g' -e 's#^ ##' -e 's# $##'
        echo '</symbol>'
    done <"$source/icons"
    echo '</svg>'
} >"$vendor/icons.svg"

for package in preact htm @preact/signals @preact/signals-core uplot basecoat-css lucide-static @fontsource-variable/inter @fontsource-variable/jetbrains-mono; do
    cp "$packages/$package"/LICENSE* "$vendor/licences/$(echo "$package" | tr -d @ | tr / -)"
done

# Each package with its version, then each file with its digest, which a test compares.
{
    sed -n '/"dependencies"/,/}/s#^    "\(.*\)": "\([0-9.]*\)",\{0,1\}$#\1 \2#p' "$source/package.json"
    echo
    (cd "$vendor" && find . -type f ! -name VERSIONS | LC_ALL=C sort | xargs sha256sum | sed 's#\./##')
} >"$work/versions"
mv "$work/versions" "$vendor/VERSIONS"

checks=tests/vendor
rm -rf "$checks"
mkdir -p "$checks"
cp "$packages/axe-core/axe.min.js" "$checks"
cp "$packages/axe-core/LICENSE" "$checks/axe-core-licence"
