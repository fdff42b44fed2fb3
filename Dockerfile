# Sextant with the PostgreSQL it keeps for itself. Build and run it with compose.yaml, which publishes both ports on
# this computer only.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
COPY . .
RUN cargo build --profile dist --locked --bin sextant

FROM debian:bookworm-slim
# The package would make a cluster of its own at installation; only its programs are wanted.
RUN mkdir -p /etc/postgresql-common \
    && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf \
    && apt-get update \
    && apt-get install -y --no-install-recommends postgresql ca-certificates tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/sextant --shell /usr/sbin/nologin sextant \
    && install -d -m 0700 -o sextant -g sextant /var/lib/sextant
COPY --from=build /build/target/dist/sextant /usr/local/bin/sextant

USER sextant
ENV BIND=0.0.0.0 DATA_DIR=/var/lib/sextant
WORKDIR /var/lib/sextant
VOLUME /var/lib/sextant
EXPOSE 8787 8788
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/${REST_PORT:-8787} && printf 'GET /healthz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
CMD ["sextant", "serve"]
