/** Continuations that stay synchronous if possible. */
import type { MaybePromise } from '../store/contract.ts'

/** Calls `next` with a plain value immediately, or with the value of a promise once the promise resolves. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
