/** Work that waits only where it has to. */
import type { MaybePromise } from '../store/contract.ts'

/** Goes on with a value at once, or when its promise has come. If nothing waits, no promise is made. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
