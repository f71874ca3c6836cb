FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY src ./src
COPY queues ./queues
COPY workers ./workers
RUN mkdir /data && chown node:node /data
USER node
ENTRYPOINT ["node", "src/meshforge.js"]
CMD ["up"]
