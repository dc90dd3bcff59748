# A small image of the rawmill program; see deploy/compose.yaml for a database and workers.

FROM swift:6.3-bookworm AS build
WORKDIR /rawmill
COPY deploy/lib.sh deploy/setup deploy/
RUN deploy/setup build
COPY . .
RUN deploy/build --product rawmill --static-swift-stdlib
RUN deploy/install /opt/rawmill

FROM debian:bookworm-slim
COPY deploy/lib.sh deploy/setup /opt/rawmill/deploy/
# curl asks for the health of a worker.
RUN /opt/rawmill/deploy/setup runtime \
  && apt-get install --yes --no-install-recommends curl && rm -rf /var/lib/apt/lists /opt/rawmill
COPY --from=build /opt/rawmill /usr/local
RUN useradd --create-home --uid 10001 rawmill
USER rawmill
WORKDIR /home/rawmill
ENTRYPOINT ["rawmill"]
