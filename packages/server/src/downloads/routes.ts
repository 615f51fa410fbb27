/** The extension `worldwright:downloads`: all of a world, or of one type, as files. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import { rangedResponse } from '../handler/byte-range.ts'
import { overloaded } from '../handler/error-response.ts'
import { fileBytes } from '../handler/file-bytes.ts'
import type { Route, WorldRequest, WorldResponse } from '../handler/http.ts'
import type { Operation } from '../handler/operation.ts'
import type { Storage } from '../storage/contract.ts'
import { damagedFault, WorldFault } from '../world/errors.ts'
import { licenceUrl } from '../world/licence.ts'
import { World, type WorldDescription } from '../world/world.ts'
import {
  type Download,
  type DownloadFile,
  type DownloadFiles,
  type DownloadFormat,
  FORMATS,
  formatsOf,
  type NoFile,
} from './download.ts'

/** The extension's name in the discovery document. */
export const DOWNLOADS_EXTENSION = 'worldwright:downloads'

/** Where downloads stand, on the world's origin. */
export const DOWNLOADS_PATH = '/download'

/** The downloads of a world, ready to be given to `createWorld`. */
export interface DownloadsApi {
  readonly routes: readonly Route[]
  /** What discovery declares. */
  readonly extensions: Readonly<Record<string, JsonObject>>
  /** The downloads of a type, or of everything, for pages that lead to them. */
  offered(type?: EntityTypeDescription): OfferedDownload[]
}

/** A download, as a page names it. */
export interface OfferedDownload {
  readonly path: string
  readonly mediaType: string
  readonly name: string
}

/** What downloads are made of. */
export interface DownloadsOptions {
  readonly files: DownloadFiles
  /** Whether a type has places, so that it can be a map. */
  readonly hasPlaces: (type: EntityTypeDescription) => boolean
}

/** Downloads that one process answers at a time, waiting ones included; each holds an open file and a connection. */
const MOST_AT_ONCE = 100
/** Seconds after which a download that is being made should be asked for again. */
const RETRY_SECONDS = 10
/** How long an answer is used again: a world that changes all the time is made again only now and then. */
const CACHING = 'public, max-age=60'

const LIST: Operation = {
  id: 'downloads',
  summary: 'What can be taken at once',
  answers: {
    200: {
      description: 'Every download, with what its format cannot hold.',
      content: {
        'application/json': {
          type: 'object',
          required: ['downloads'],
          properties: {
            downloads: { type: 'array', items: { type: 'object', required: ['path', 'format'] } },
          },
        },
      },
    },
  },
  errors: [],
}

const TAKE: Operation = {
  id: 'download',
  summary: 'Everything as world.ndjson, or a type as prefix:name.ndjson, .csv, .parquet or .geojson',
  answers: {
    200: {
      description: 'The file, from one snapshot.',
      content: Object.fromEntries(Object.values(FORMATS).map(({ mediaType }) => [plain(mediaType), {}])),
    },
    206: { description: 'The part that Range asks for.' },
  },
  errors: ['not_found', 'invalid_type', 'unknown_type', 'precondition_failed', 'damaged'],
}

/**
 * Serves downloads. Each has an entity tag, its length and digest (RFC 9530), may be asked for in ranges, and names its
 * licence. In a private world they need a token like everything else.
 */
export function createDownloadsApi(
  description: WorldDescription,
  storage: Storage,
  options: DownloadsOptions,
): DownloadsApi {
  const downloads = new Downloads(new World(description, storage), options)
  return {
    offered: (type) => downloads.offered(type),
    routes: [
      {
        path: DOWNLOADS_PATH,
        operations: { GET: LIST },
        methods: { GET: () => downloads.list() },
      },
      {
        path: `${DOWNLOADS_PATH}/{file}`,
        // Waiting for a file costs nothing; how many wait is bounded here.
        lane: 'free',
        answers: Object.values(FORMATS).map(({ mediaType }) => plain(mediaType)),
        operations: { GET: TAKE },
        methods: { GET: (request, { file = '' }) => downloads.take(request, file) },
      },
    ],
    extensions: {
      [DOWNLOADS_EXTENSION]: {
        path: DOWNLOADS_PATH,
        formats: Object.fromEntries(
          Object.entries(FORMATS).map(([format, { mediaType }]) => [format, plain(mediaType)]),
        ),
      },
    },
  }
}

/** A download in one of the formats that are offered. */
type OneDownload = Download & { readonly format: DownloadFormat }

class Downloads {
  readonly #world: World
  readonly #options: DownloadsOptions
  #open = 0

  constructor(world: World, options: DownloadsOptions) {
    this.#world = world
    this.#options = options
  }

  async list(): Promise<WorldResponse> {
    const { license, attribution } = this.#world.description
    const downloads = [
      listed('world', 'ndjson'),
      ...(await this.#world.types()).flatMap((type) =>
        this.#formats(type).map((format) => listed(type.type, format, type.type)),
      ),
    ]
    return {
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': CACHING, ...this.#links() },
      body: JSON.stringify({
        downloads,
        ...(license !== undefined && { license }),
        ...(attribution !== undefined && { attribution }),
      }),
    }
  }

  offered(type?: EntityTypeDescription): OfferedDownload[] {
    const formats = type === undefined ? (['ndjson'] as const) : this.#formats(type)
    return formats.map((format) => ({
      path: pathOf(type?.type ?? 'world', format),
      mediaType: plain(FORMATS[format].mediaType),
      name: NAMES[format],
    }))
  }

  #formats(type: EntityTypeDescription): DownloadFormat[] {
    return formatsOf(this.#options.hasPlaces(type))
  }

  async take(request: WorldRequest, name: string): Promise<WorldResponse> {
    const download = await this.#named(name)
    if (this.#open >= MOST_AT_ONCE) throw overloaded()
    this.#open += 1
    try {
      const file = await this.#options.files.file(download)
      if (typeof file === 'string') throw refusal(file)
      return this.#answer(request, name, download, file)
    } finally {
      this.#open -= 1
    }
  }

  /** @throws WorldFault `not_found`, `unknown_type` */
  async #named(name: string): Promise<OneDownload> {
    const [, subject = '', format = ''] = /^(.+)\.([a-z]+)$/s.exec(name) ?? []
    if (!Object.hasOwn(FORMATS, format)) throw nothing(name)
    const about = this.#about()
    if (subject === 'world' && format === 'ndjson') return { format, about }
    if (!subject.includes(':')) throw nothing(name)
    await this.#world.requireType(subject)
    const type = (await this.#world.types()).find((one) => one.type === subject)
    if (type === undefined) throw nothing(name)
    const known = this.#formats(type).find((one) => one === format)
    if (known === undefined) throw nothing(name)
    return { format: known, type: subject, about, ...(type.schema && { schema: type.schema }) }
  }

  #about(): Record<string, string> {
    const { id, name, license, attribution } = this.#world.description
    return {
      world: id,
      ...(name !== undefined && { name }),
      ...(license !== undefined && { license }),
      ...(attribution !== undefined && { attribution }),
    }
  }

  #links(): Record<string, string> {
    const url = licenceUrl(this.#world.description.license)
    return url === undefined ? {} : { link: `<${url}>; rel="license"` }
  }

  #answer(request: WorldRequest, name: string, { format }: OneDownload, file: DownloadFile): WorldResponse {
    const whole = this
    return rangedResponse(request, {
      size: file.size,
      etag: `"${file.digest.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}"`,
      headers: {
        'content-type': FORMATS[format].mediaType,
        'content-disposition': `attachment; filename="${name.replace(':', '-')}"`,
        'cache-control': CACHING,
        'last-modified': new Date(file.madeAt).toUTCString(),
        'repr-digest': `sha-256=:${file.digest}:`,
        'cross-origin-resource-policy': 'cross-origin',
        ...this.#links(),
      },
      async *bytes(start, end) {
        if (whole.#open >= MOST_AT_ONCE) throw overloaded()
        whole.#open += 1
        try {
          yield* fileBytes(file.path, start, end)
        } finally {
          whole.#open -= 1
        }
      },
    })
  }
}

function pathOf(subject: string, format: DownloadFormat): string {
  return `${DOWNLOADS_PATH}/${encodeURIComponent(subject)}.${format}`
}

/** The formats as people call them. */
const NAMES: Readonly<Record<DownloadFormat, string>> = {
  ndjson: 'NDJSON',
  csv: 'CSV',
  parquet: 'Parquet',
  geojson: 'GeoJSON',
}

function listed(subject: string, format: DownloadFormat, type?: string): JsonObject {
  const { mediaType, loses } = FORMATS[format]
  return {
    path: pathOf(subject, format),
    format,
    mediaType: plain(mediaType),
    ...(type !== undefined && { type }),
    ...(loses !== undefined && { loses }),
  }
}

function plain(mediaType: string): string {
  return mediaType.split(';')[0] ?? mediaType
}

function nothing(name: string): WorldFault {
  return new WorldFault('not_found', 'There is no such download; /download lists them.', { name })
}

function refusal(reason: NoFile): WorldFault {
  if (reason === 'damaged') return damagedFault()
  if (reason === 'too_wide')
    return new WorldFault('not_found', 'The type has too many attributes for a table. Use NDJSON.', {
      reason,
    })
  const message =
    reason === 'full'
      ? 'There is no room to make this download.'
      : 'This download is being made. Ask for it again.'
  return new WorldFault(
    'unavailable',
    message,
    { reason, retryAfterSeconds: RETRY_SECONDS },
    { 'retry-after': String(RETRY_SECONDS) },
  )
}
