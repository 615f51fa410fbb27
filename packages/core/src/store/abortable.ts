/** Common abort signal check for all methods of the store contract. */

/** Wraps methods so that they throw immediately if the `signal` in their last argument has already aborted. */
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
