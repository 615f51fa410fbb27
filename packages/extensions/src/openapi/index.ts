/** The OpenAPI description of a world, made of its routes and of what it says in discovery: an extension of a world. */
export { OPENAPI_EXTENSION, OPENAPI_PATH, openApi } from './routes.ts'
