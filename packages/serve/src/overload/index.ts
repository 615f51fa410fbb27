export { Admission } from './admission.ts'
export { limitConnections } from './limit-connections.ts'
