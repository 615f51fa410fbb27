/** The extension `worldwright:downloads`: all of a world, or one type, as files. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { Extension, Operation, World, WorldRequest, WorldResponse } from '@worldwright/core'
import { damagedFault, licenceUrl, overloaded, unavailable, WorldFault } from '@worldwright/core'
import { rangedResponse } from '../files/byte-range.ts'
import { fileBytes } from '../files/file-bytes.ts'
import type { Download, DownloadFile, DownloadFiles, DownloadFormat, NoFile } from './download.ts'

/** The extension's name in the discovery document. */
export const DOWNLOADS_EXTENSION = 'worldwright:downloads'

/** Path prefix of downloads, on the world's origin. */
export const DOWNLOADS_PATH = '/download'

/** A download, as a page links it. */
export interface OfferedDownload {
  readonly path: string
  readonly mediaType: string
  readonly name: string
}

/** Options of the extension `worldwright:downloads`. */
export interface DownloadsOptions {
  readonly files: DownloadFiles
  /** In the order in which they are offered. */
  readonly formats: readonly DownloadFormat[]
}

/** Maximum downloads that one process serves at a time, waiting ones included; each holds an open file and a connection. */
const MOST_AT_ONCE = 100
/** `Retry-After` for a download that is being made, in seconds. */
const RETRY_SECONDS = 10
/** Cache lifetime of a response: a world that changes all the time is exported only now and then. */
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

function takeOperation(formats: readonly DownloadFormat[]): Operation {
  const endings = formats.map(({ name }) => `.${name}`).join(', ')
  const whole = formats.flatMap(({ name, holdsTypes }) => (holdsTypes ? [`world.${name}`] : []))
  return {
    id: 'download',
    summary: `Everything as ${whole.join(', ')}, or a type as prefix:name${endings.replace(/, (?=[^,]*$)/, ' or ')}`,
    answers: {
      200: {
        description: 'The file, from one snapshot.',
        content: Object.fromEntries(formats.map(({ mediaType }) => [plain(mediaType), {}])),
      },
      206: { description: 'The part that Range asks for.' },
    },
    errors: ['not_found', 'invalid_type', 'unknown_type', 'precondition_failed', 'damaged'],
  }
}

/**
 * Serves downloads. Each has an entity tag, its length and its digest (RFC 9530), supports ranges, and names its
 * licence. In a private world they need a token like everything else.
 */
export function downloads(options: DownloadsOptions): Extension {
  const { formats } = options
  return ({ world }) => {
    const served = new Downloads(world, options)
    return {
      name: DOWNLOADS_EXTENSION,
      declares: () => ({
        path: DOWNLOADS_PATH,
        formats: Object.fromEntries(formats.map(({ name, mediaType }) => [name, plain(mediaType)])),
      }),
      routes: [
        {
          path: DOWNLOADS_PATH,
          operations: { GET: LIST },
          methods: { GET: () => served.list() },
        },
        {
          path: `${DOWNLOADS_PATH}/{file}`,
          // Waiting for a file costs nothing; the number of waiting requests is bounded here.
          lane: 'free',
          answers: formats.map(({ mediaType }) => plain(mediaType)),
          operations: { GET: takeOperation(formats) },
          reads: (_, { file = '' }) => (file.includes(':') ? [subjectOf(file)] : undefined),
          methods: { GET: (request, { file = '' }) => served.take(request, file) },
        },
      ],
    }
  }
}

/** Returns the downloads of a type, or of everything, for the pages that link to them. */
export function offeredDownloads(
  type: EntityTypeDescription | undefined,
  formats: readonly DownloadFormat[],
): OfferedDownload[] {
  return formatsFor(type, formats).map((format) => ({
    path: pathOf(type?.type ?? 'world', format),
    mediaType: plain(format.mediaType),
    name: format.title,
  }))
}

/** Returns the formats in which a type, or everything, can be downloaded. */
function formatsFor(
  type: EntityTypeDescription | undefined,
  formats: readonly DownloadFormat[],
): DownloadFormat[] {
  return formats.filter((format) =>
    type === undefined ? format.holdsTypes : (format.canHold?.(type.schema) ?? true),
  )
}

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
      ...this.#formats().map((format) => listed('world', format)),
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

  #formats(type?: EntityTypeDescription): DownloadFormat[] {
    return formatsFor(type, this.#options.formats)
  }

  async take(request: WorldRequest, name: string): Promise<WorldResponse> {
    const { format, ...download } = await this.#named(name)
    if (this.#open >= MOST_AT_ONCE) throw overloaded()
    this.#open += 1
    try {
      const file = await this.#options.files.file({ ...download, format: format.name })
      if (typeof file === 'string') throw refusal(file)
      return this.#answer(request, name, format, file)
    } finally {
      this.#open -= 1
    }
  }

  /** @throws WorldFault `not_found`, `unknown_type` */
  async #named(name: string): Promise<Omit<Download, 'format'> & { readonly format: DownloadFormat }> {
    const subject = subjectOf(name)
    const format = this.#options.formats.find((one) => `${subject}.${one.name}` === name)
    if (format === undefined) throw nothing(name)
    const about = this.#about()
    if (subject === 'world' && format.holdsTypes) return { format, about }
    if (!subject.includes(':')) throw nothing(name)
    await this.#world.requireType(subject)
    const type = (await this.#world.types()).find((one) => one.type === subject)
    if (type === undefined) throw nothing(name)
    if (!this.#formats(type).includes(format)) throw nothing(name)
    return { format, type: subject, about, ...(type.schema && { schema: type.schema }) }
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

  #answer(request: WorldRequest, name: string, format: DownloadFormat, file: DownloadFile): WorldResponse {
    const whole = this
    return rangedResponse(request, {
      size: file.size,
      etag: `"${file.digest.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}"`,
      headers: {
        'content-type': format.mediaType,
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

/** Returns the subject of a download: a type, or `world`. */
function subjectOf(name: string): string {
  return name.replace(/\.[a-z]+$/, '')
}

function pathOf(subject: string, { name }: DownloadFormat): string {
  return `${DOWNLOADS_PATH}/${encodeURIComponent(subject)}.${name}`
}

function listed(subject: string, format: DownloadFormat, type?: string): JsonObject {
  const { name, mediaType, loses } = format
  return {
    path: pathOf(subject, format),
    format: name,
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
  return unavailable(message, RETRY_SECONDS, { details: { reason } })
}
