/** The OpenAPI description of a world, made from its routes and its discovery document: an extension of a world. */
export { OPENAPI_EXTENSION, OPENAPI_PATH, openApi } from './routes.ts'
