/** Every type of a world as a reconciliation service: an extension of a world. */
export { reconcile } from './reconcile.ts'
