/** Extension that serves an OpenAPI description of a world, generated from its routes and its discovery document. */
export { OPENAPI_EXTENSION, OPENAPI_PATH, openApi } from './routes.ts'
