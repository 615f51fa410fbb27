/** The rule about signals that every method of the storage contract follows, in one place. */

/** The same methods, each of which fails at once where its last argument has a `signal` that is aborted. */
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
