FROM node:24-bookworm-slim AS packages
WORKDIR /srv/tawasul
# What npm reads comes first, so that a change of the content installs nothing.
COPY package.json package-lock.json .npmrc ./
COPY app/server/check-npm.mjs app/server/
COPY supabase/embedded/package.json supabase/embedded/
# The package node leaves its headers and a second name of its program.
RUN npm ci --omit=dev && rm -r node_modules/node/node_modules

FROM packages AS build
RUN npm ci
COPY . .
RUN npm run build && rm -r node_modules

# Node itself is one of the packages; PostgreSQL's binary needs glibc, so this is not Alpine.
FROM debian:bookworm-slim
# embedded-postgres runs PostgreSQL where the host starts the image as root.
RUN groupadd --gid 10001 tawasul && useradd --uid 10001 --gid tawasul tawasul \
  && useradd --uid 10002 --user-group embedded-postgres \
  && install --directory --owner=tawasul --group=tawasul --mode=700 /var/lib/tawasul /var/backups/tawasul
WORKDIR /srv/tawasul
COPY --from=packages /srv/tawasul/node_modules node_modules
COPY --from=build /srv/tawasul .
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/var/lib/tawasul \
  PATH=/srv/tawasul/node_modules/.bin:$PATH
USER tawasul
VOLUME /var/lib/tawasul
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-sigusr1", "app/server/main.ts"]
