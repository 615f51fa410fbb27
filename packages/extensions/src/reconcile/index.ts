/** Extension that offers every type of a world as a reconciliation service. */
export { reconcile } from './reconcile.ts'
