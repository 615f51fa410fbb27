/** Admission control as the handler sees it: an option of `createWorld`. Without it every request is answered as it comes. */
import type { MaybePromise } from '../store/contract.ts'
import type { Lane, WorldRequest } from './http.ts'

/** The client of a request, and the signal that it has left. */
export type Asking = Pick<WorldRequest, 'client' | 'signal'>

/** Decides when work for a request begins. */
export interface RequestAdmission {
  /** Reports whether work begins at once. Cheap enough to be called for each request. */
  isCalm(): boolean
  /**
   * Does the work of a request, now or after a while, in the asynchronous context of the call. Work that nobody waits for any
   * more is not done: it rejects with the reason of the signal, and with a WorldFault `unavailable` if too much waits.
   */
  run<T>(lane: Lane, asking: Asking, work: () => MaybePromise<T>): MaybePromise<T>
}
