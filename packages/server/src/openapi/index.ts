/** The OpenAPI description of a world, made of its routes and of what it says in discovery. */
export type { OpenApi } from './routes.ts'
export { createOpenApi, OPENAPI_EXTENSION, OPENAPI_PATH } from './routes.ts'
