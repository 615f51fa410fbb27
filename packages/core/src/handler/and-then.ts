/** Continuations that stay synchronous if possible. */
import type { MaybePromise } from '../store/contract.ts'

/** Calls `next` with a value: synchronously, or once its promise resolves. A plain value creates no promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
