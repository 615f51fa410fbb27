/** `world serve --follow`: a replica of another world, served at an address of its own while it follows its upstream. */

import type { Store } from '@worldwright/core/store'
import { type StoreLocation, storeAt, storeUrl } from '@worldwright/engines'
import type { DownloadFiles } from '@worldwright/extensions/downloads'
import {
  describeUpstream,
  type FollowEvent,
  type FollowOptions,
  followWorld,
  type ReplicaStatus,
  statusAfter,
  statusOf,
  type UpstreamDescription,
} from '@worldwright/extensions/replica'
import { emptyDefinition, worldId } from '@worldwright/publish'
import { rateLimitFor } from '../limits/limits-for.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { Log } from '../log/log.ts'
import { type Explorer, openExplorer } from '../open/explorer-files.ts'
import { originFrom } from '../open/origin.ts'
import { deletionsKeptMs, type Settings, shownSettings } from '../open/settings.ts'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { type AdminServer, serveAdmin } from './admin-server.ts'
import { composeWorld, type ValidatedWorld, type WorldDeps } from './compose-world.ts'
import { reportOf } from './copy-status.ts'
import { DamagedEntities, damageReport } from './damaged-entities.ts'
import { FollowReport } from './follow-report.ts'
import type { Frontend } from './frontend.ts'
import { greet } from './greet.ts'
import { tryPort } from './listen-at.ts'
import { meaningFrom } from './meaning-from.ts'
import type { Metrics } from './metrics.ts'
import { metricsFor } from './metrics-for.ts'
import { openDownloads } from './own-downloads.ts'
import { openOwnFrontend } from './own-frontend.ts'
import { ownedStorage } from './owned-storage.ts'
import { openPoolFrontend } from './pool-frontend.ts'
import { Readiness } from './readiness.ts'
import { renewOnHangup } from './renew-on-hangup.ts'
import { type ServeOptions, servingSettings } from './serve-context.ts'

/** Default store of a replica, in the current folder. */
const DEFAULT_COPY = 'sqlite:copy.db'

/** Serves a replica until the signal ends it, then finishes running requests and closes the store. @throws as `followWorld` */
export async function serveCopy(
  path: string | undefined,
  options: ServeOptions,
  io: Io,
  log: Log,
): Promise<number> {
  if (path !== undefined)
    throw new UsageFault('A copy has no definition: give either PATH, or --follow ORIGIN.')
  const settings = servingSettings({ definition: emptyDefinition() }, options, io)
  if (settings.operator) throw new UsageFault('A copy takes no writes. Leave out --operator.')
  const meaning = meaningFrom(settings, io.cwd)
  const origin = originFrom(settings.follow ?? '')
  const store = await storeAt(storeUrl(options.store ?? fromEnv(io, 'WORLD_STORE') ?? DEFAULT_COPY, io.cwd))
  const opened = await store.open('writer', { deletionsKeptMs: deletionsKeptMs(settings) })
  try {
    const metrics = await metricsFor(settings)
    const rateLimit = rateLimitFor(settings)
    const damaged = new DamagedEntities(damageReport(log))
    const { search } = settings
    const storage = await ownedStorage(opened, { store, metrics, meaning, search, log, damaged })
    const description = await describeUpstream({ origin, storage, ...requestsOf(settings, io) })
    if (description.isPrivate && !settings.private)
      throw new UsageFault(`${origin} is private, and so is its copy: add --private.`)
    await worldId({ ...emptyDefinition(), id: description.id }, storage)
    const status = await statusOf(storage)
    const explorer = await openExplorer()
    const downloads = await openDownloads(settings, store, storage, log)
    try {
      const deps = {
        origin,
        store,
        storage,
        damaged,
        settings,
        options,
        metrics,
        rateLimit,
        explorer,
        io,
        log,
      }
      await new ServedCopy({ ...deps, downloads: downloads?.files }, description, status).serve()
    } finally {
      await downloads?.close()
    }
    await storage.close()
  } finally {
    await opened.close()
  }
  return 0
}

function requestsOf({ token, tokenOrigin }: Settings, { fetch, signal }: Io) {
  const tokenOrigins = tokenOrigin?.map(originFrom)
  return { token, tokenOrigins, fetch, signal } as Omit<FollowOptions, 'origin' | 'storage'>
}

/** Options of a served replica. */
interface CopyOptions {
  readonly origin: string
  readonly store: StoreLocation
  readonly storage: Store
  readonly settings: Settings
  readonly options: ServeOptions
  readonly metrics: Metrics | undefined
  readonly explorer: Explorer | undefined
  readonly io: Io
  readonly log: Log
  readonly damaged: DamagedEntities
  readonly rateLimit: RateLimit | undefined
  readonly downloads: DownloadFiles | undefined
}

class ServedCopy {
  readonly #options: CopyOptions
  readonly #readiness: Readiness
  #status: ReplicaStatus
  #world: ValidatedWorld

  constructor(options: CopyOptions, description: UpstreamDescription, status: ReplicaStatus) {
    this.#options = options
    this.#status = status
    const { storage, store, settings } = options
    this.#readiness = new Readiness({
      storage,
      file: store.file,
      status: () => this.#status,
      maxLag: settings.maxLag,
    })
    this.#world = this.#composed(description)
  }

  async serve(): Promise<void> {
    const { origin, store, storage, damaged, settings, metrics, rateLimit, downloads, io, log } =
      this.#options
    await tryPort(settings)
    const open = settings.workers === 1 ? openOwnFrontend : openPoolFrontend
    const status = () => this.#status
    const frontend = await open(this.#world, {
      storage,
      store: store.url,
      metrics,
      rateLimit,
      status,
      log,
      downloads,
      damaged,
    })
    renewOnHangup(frontend, io)
    metrics?.watchWorld(storage, () => this.#world, frontend.url)
    metrics?.watchLag(status)
    this.#readiness.serving()
    const admin = await this.#openAdmin(frontend)
    try {
      if (this.#status.isReady) await this.#greet(frontend, admin?.url)
      else say(io, `Copying ${origin}. Until that is done, ${frontend.url} answers 503.`)
      const report = new FollowReport(origin, io)
      for await (const event of followWorld({ origin, storage, ...requestsOf(settings, io) })) {
        report.note(event)
        if (event.event === 'described') {
          this.#world = this.#composed(event.description)
          await frontend.replaceHandler(this.#world)
        }
        if (await this.#moved(event, frontend)) await this.#greet(frontend, admin?.url)
      }
      say(io, 'Stopping.')
    } finally {
      this.#readiness.stopping()
      await frontend.close()
      admin?.close()
    }
  }

  #openAdmin(frontend: Frontend): Promise<AdminServer | undefined> {
    const { settings, options, metrics, io } = this.#options
    return serveAdmin(settings, {
      snapshots: async () => [
        ...(metrics ? [await metrics.snapshot()] : []),
        ...(await frontend.snapshots()),
      ],
      reasons: () => this.#readiness.reasons(),
      damaged: () => this.#options.damaged.list(this.#options.storage),
      copy: () => reportOf(this.#status),
      config: () => shownSettings(emptyDefinition(), options, io, undefined),
    })
  }

  /** Sends all processes the status after an event. Returns true if the replica becomes readable for the first time. */
  async #moved(event: FollowEvent, frontend: Frontend): Promise<boolean> {
    const before = this.#status
    this.#status = statusAfter(before, event, Date.now())
    const { isReady, isCurrent } = this.#status
    if (isReady !== before.isReady || isCurrent !== before.isCurrent) await frontend.noteStatus(this.#status)
    return isReady && !before.isReady
  }

  async #greet(frontend: Frontend, admin: string | undefined): Promise<void> {
    const { storage, settings, explorer, io } = this.#options
    const addresses = { world: settings.publicUrl ?? frontend.url, admin, hasPage: explorer !== undefined }
    await greet(this.#world, storage, settings, addresses, io)
  }

  #composed({
    id,
    name,
    description,
    license,
    attribution,
    entityTypes,
    isPrivate,
  }: UpstreamDescription): ValidatedWorld {
    const { origin, storage, settings, metrics, rateLimit, downloads, explorer, log } = this.#options
    const definition = {
      ...emptyDefinition(),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(license !== undefined && { license }),
      ...(attribution !== undefined && { attribution }),
      types: entityTypes,
    }
    // If the upstream becomes private, so does its replica: from then on it requires tokens as well.
    const served = {
      id,
      definition,
      settings: { ...settings, private: settings.private || isPrivate },
      upstream: origin,
    }
    const deps: WorldDeps = {
      storage,
      explorer,
      log,
      rateLimit,
      downloads,
      status: () => this.#status,
      ...(metrics && { observe: metrics.observe }),
    }
    return { ...served, handler: composeWorld(served, deps) }
  }
}
