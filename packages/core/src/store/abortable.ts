/** The rule for signals that every method of the store contract follows, in one place. */

/** Wraps methods so that each fails at once if the `signal` of its last argument is aborted. */
export function abortable<T extends object>(methods: T): T {
  const members = Object.entries(methods).map(([name, member]) => [
    name,
    typeof member === 'function' ? checked(member as Method) : member,
  ])
  return Object.fromEntries(members)
}

type Method = (...args: unknown[]) => unknown

function checked(method: Method): Method {
  return (...args) => {
    const last = args.at(-1) as { readonly signal?: AbortSignal } | undefined
    last?.signal?.throwIfAborted()
    return method(...args)
  }
}
