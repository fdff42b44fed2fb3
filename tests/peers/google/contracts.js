// Google's own discovery documents (of google-api-python-client, Apache-2.0) as what prism checks: `contracts.js DOCUMENTS OUT`.
//
// Changed on the way: answers are named JSON, without which wrong ones pass; People's paths are its flat ones, which can be routed; the
// base path stands in the paths; a field that a schema does not name is refused; refusals, which the documents leave out, are any
// answer that bears an error.
const fs = require('fs');
const path = require('path');
const { convert } = require('google-discovery-to-swagger');

const [documents, out] = process.argv.slice(2);
const REFUSAL = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'object', required: ['code', 'message'] } },
};

function methods(resource) {
  const own = Object.values(resource.methods || {});
  return own.concat(...Object.values(resource.resources || {}).map(methods));
}

// `{+resourceName}` is no part of a path that can be routed.
function flatten(method) {
  if (!method.path.includes('{+')) {
    method.path = method.flatPath || method.path;
    return;
  }
  const names = [...method.flatPath.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
  const others = Object.entries(method.parameters || {}).filter(([, one]) => one.location !== 'path');
  method.parameters = Object.fromEntries(others);
  for (const name of names) {
    method.parameters[name] = { type: 'string', location: 'path', required: true };
  }
  method.parameterOrder = names;
  method.path = method.flatPath;
}

function close(schema) {
  if (!schema || typeof schema !== 'object') return;
  if (schema.properties && !schema.additionalProperties) schema.additionalProperties = false;
  Object.values(schema.properties || {}).forEach(close);
  close(schema.items);
}

for (const [name, file] of [['calendar', 'calendar.v3.json'], ['people', 'people.v1.json']]) {
  const document = JSON.parse(fs.readFileSync(path.join(documents, file)));
  methods(document).filter((method) => method.flatPath).forEach(flatten);
  const contract = convert(document);
  contract.produces = contract.consumes = ['application/json'];
  const base = (contract.basePath || '').replace(/\/$/, '');
  const rooted = ([own, item]) => [base + (own.startsWith('/') ? own : `/${own}`), item];
  contract.paths = Object.fromEntries(Object.entries(contract.paths).map(rooted));
  delete contract.basePath;
  delete contract.host;
  for (const item of Object.values(contract.paths)) {
    for (const operation of Object.values(item).filter((one) => one && one.responses)) {
      operation.responses.default = { description: 'a refusal', schema: REFUSAL };
      // Whoever asks bears a token, which the stand-in judges.
      delete operation.security;
    }
  }
  delete contract.securityDefinitions;
  Object.values(contract.definitions).forEach(close);
  fs.writeFileSync(path.join(out, `${name}.openapi.json`), JSON.stringify(contract));
}
