/**
 * A request and a response as plain data. Everything the handler knows of HTTP passes through these two shapes;
 * sockets, ports and runtimes stay in the adapters.
 */
import type { ErrorBody } from '@worldwright/client/protocol'
import type { Client, MaybePromise } from '../store/contract.ts'
import type { ReadTypes } from '../world/action.ts'
import type { Operation } from './operation.ts'

/** One request, as an adapter hands it over. */
export interface WorldRequest {
  /** Upper case, as received. */
  readonly method: string
  /** The raw request target, nothing decoded or normalised: `/path?query`, an absolute URL, or `*`. */
  readonly target: string
  /** Header fields by lower-case name; repeated fields joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Where the adapter listens, as an origin. Taken from its configuration, never from the request. */
  readonly origin?: string | undefined
  /** The id of the request, given to it by what passes it on. Absent: the one of its header `Request-Id`, if it is plain. */
  readonly id?: string | undefined
  /** The client: the other end of the connection, or whom trusted proxies name. Absent if the adapter does not know. */
  readonly client?: Client | undefined
  /** The body's bytes, to be read at most once. Absent if the request has none. */
  readonly body?: AsyncIterable<Uint8Array> | undefined
  /**
   * Aborted when the client leaves before it has its whole answer, so that work for it can stop. Absent if the adapter
   * does not know.
   */
  readonly signal?: AbortSignal | undefined
  /** Aborted when the server begins to close: answers that would never end should end. Absent as `signal`. */
  readonly closing?: AbortSignal | undefined
}

/** One response, ready to be written. */
export interface WorldResponse {
  readonly status: number
  /** Header fields by lower-case name. Frozen ones come again, so that adapters may keep what they made of them. */
  readonly headers: Readonly<Record<string, string>>
  /** Written by adapters as the field `Request-Id`. Apart, so that answers from the cache share their fields. */
  readonly requestId?: string | undefined
  /** Absent for 204, 304 and answers to HEAD. An iterable is written piece by piece as it comes. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array | string> | undefined
  /**
   * Present if the answer depends on the target and the store alone: it stays valid until the store changes, or with
   * `type`, until an entity of that type does.
   */
  readonly cacheable?: { readonly type?: string }
  /** The iterable may be sent in a content coding: nobody waits for its single pieces. */
  readonly compressible?: true
  /** The route returns this same object until its answer changes, so that compressed forms are made once. */
  readonly memoizable?: true
}

/**
 * Answers one route. Throws a `WorldFault`, or anything at all, to answer with an error body. `failed` takes what goes
 * wrong later, in a body that is written piece by piece.
 */
export type RouteHandler = (
  request: WorldRequest,
  params: RouteParams,
  failed: LateFailure,
) => MaybePromise<WorldResponse>

/** The error body for something thrown after the status was sent. It is logged like earlier errors. */
export type LateFailure = (thrown: unknown) => ErrorBody

/** The decoded path components of a route, by the names in its pattern. */
export type RouteParams = Readonly<Record<string, string>>

/** Classes of requests: one class does not wait behind another. `free` never waits; `cached` answers come from the cache. */
export type Lane = 'free' | 'cached' | 'read' | 'search' | 'write'

/** One resource: a path pattern and what each method does there. HEAD follows GET; OPTIONS is answered for all. */
export interface Route {
  /** Literal components and `{name}` components, such as `/entities/{type}/{id}`. */
  readonly path: string
  readonly methods: Readonly<Record<string, RouteHandler>>
  /** What each method does, for the OpenAPI description; without it the route is not described. */
  readonly operations?: Readonly<Record<string, Operation>>
  /** The media types of its answers beside JSON. */
  readonly answers?: readonly string[]
  /** Class of its requests. Absent: `read` for what reads, `write` for all else. */
  readonly lane?: Exclude<Lane, 'cached'>
  /** Answers everybody, or checks tokens by itself: `admit` is not called. */
  readonly open?: true
  /** Returns the types that a request reads of; undefined, as without it: of any. */
  readonly reads?: (request: WorldRequest, params: RouteParams) => ReadTypes
  /** Whether the route exists now; while it does not, its path is like any without a route. Absent: always. */
  readonly present?: (request: WorldRequest) => MaybePromise<boolean>
}
