/** Extensions of one world, with their hooks combined. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import { type Action, Actions, type Caller, type EntityWrites } from '../world/action.ts'
import { DISCOVER } from '../world/discover-action.ts'
import type { Authentication } from '../world/discovery-document.ts'
import { WorldFault } from '../world/errors.ts'
import type { Capability, Handle, Mount } from './extension.ts'
import type { Route, WorldRequest, WorldResponse } from './http.ts'
import type { WorldOptions } from './options.ts'
import { meetingRoute } from './router.ts'

/** Owns the mounted extensions and their lifecycle. */
export class MountedExtensions {
  readonly actions: Actions
  readonly #mounted: readonly Capability[]
  readonly #callers = new WeakMap<WorldRequest, Promise<Caller | undefined>>()
  readonly #opened: Capability[] = []

  /**
   * Mounts the extensions in order.
   * @throws TypeError for a repeated extension name, overlapping routes, or an invalid or repeated action name
   */
  constructor(
    mount: Mount,
    { extensions = [], actions: own = [] }: Pick<WorldOptions, 'extensions' | 'actions'>,
  ) {
    this.#mounted = extensions.map((extension) => extension(mount))
    requireApart(this.#mounted)
    const brought = this.#mounted.flatMap(({ actions = [] }) => actions)
    const discover = this.#mounted.reduce((action, part) => part.discover?.(action) ?? action, DISCOVER)
    this.actions = new Actions([discover, ...brought, ...own], this.writes !== undefined)
  }

  get routes(): Route[] {
    return this.#mounted.flatMap(({ routes = [] }) => routes)
  }

  get writes(): EntityWrites | undefined {
    return this.#first('writes')
  }

  get authentication(): Authentication | undefined {
    return this.#first('authentication')
  }

  get listedTypes(): readonly EntityTypeDescription[] | undefined {
    return this.#first('listedTypes')
  }

  /** Returns the members of `extensions` in discovery, with their names. */
  async declarations(types: readonly EntityTypeDescription[]): Promise<[name: string, JsonObject][]> {
    const members: [string, JsonObject][] = []
    for (const part of this.#mounted) {
      const member = await part.declares?.(types)
      if (member !== undefined) members.push([part.name, member])
    }
    return members
  }

  /** Returns the caller of a request. Authenticates each request at most once. */
  callerOf(request: WorldRequest): Promise<Caller | undefined> {
    const known = this.#callers.get(request)
    if (known !== undefined) return known
    const caller = this.#authenticated(request)
    this.#callers.set(request, caller)
    return caller
  }

  async #authenticated(request: WorldRequest): Promise<Caller | undefined> {
    for (const part of this.#mounted) {
      const caller = await part.authenticate?.(request)
      if (caller !== undefined) return caller
    }
    return undefined
  }

  /** Combined `admit` hook, or undefined if no extension has one. */
  get admit(): Capability['admit'] {
    const guards = this.#mounted.filter(({ admit }) => admit !== undefined)
    if (guards.length === 0) return undefined
    return async (request, reads) => {
      for (const guard of guards) await guard.admit?.(request, reads)
    }
  }

  /** Runs every `admitCall` hook. Without any such hook, refuses unsafe actions. */
  async admitCall(request: WorldRequest, action: Action['description']): Promise<void> {
    const guards = this.#mounted.filter(({ admitCall }) => admitCall !== undefined)
    if (guards.length === 0 && !action.safe)
      throw new WorldFault('forbidden', 'This action changes things, and cannot be called here.', {
        action: action.name,
      })
    for (const guard of guards) await guard.admitCall?.(request, action)
  }

  async notFound(request: WorldRequest, fault: WorldFault): Promise<WorldResponse | undefined> {
    for (const part of this.#mounted) {
      const page = await part.notFound?.(request, fault)
      if (page !== undefined) return page
    }
    return undefined
  }

  /** Wraps `handle` in the `around` hooks. If a hook throws, `failed` builds the response. */
  around(handle: Handle, failed: (request: WorldRequest, thrown: unknown) => WorldResponse): Handle {
    const outer = this.#mounted.reduce((inner, part) => part.around?.(inner) ?? inner, handle)
    if (outer === handle) return handle
    return (request) => {
      try {
        const answered = outer(request)
        return answered instanceof Promise ? answered.catch((thrown) => failed(request, thrown)) : answered
      } catch (thrown) {
        return failed(request, thrown)
      }
    }
  }

  /** Opens the extensions in order. If one fails, closes those opened before it. */
  async open(): Promise<void> {
    try {
      for (const part of this.#mounted) {
        await part.open?.()
        this.#opened.push(part)
      }
    } catch (error) {
      await this.close().catch(() => {})
      throw error
    }
  }

  /** Closes all open extensions in reverse order, even if some fail. Rejects with the first error. */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (let part = this.#opened.pop(); part !== undefined; part = this.#opened.pop())
      try {
        await part.close?.()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw failures[0]
  }

  #first<Name extends 'writes' | 'authentication' | 'listedTypes'>(name: Name): Capability[Name] {
    return this.#mounted.find((part) => part[name] !== undefined)?.[name]
  }
}

function requireApart(mounted: readonly Capability[]): void {
  for (const [index, { name, routes = [] }] of mounted.entries()) {
    for (const earlier of mounted.slice(0, index)) {
      if (earlier.name === name)
        throw new TypeError(`Two extensions have the name ${name}. Leave one of them out.`)
      const meeting = meetingRoute(routes, earlier.routes ?? [])
      if (meeting)
        throw new TypeError(
          `The extensions ${earlier.name} and ${name} both answer at ${meeting.path}. Leave one of them out.`,
        )
    }
  }
}
