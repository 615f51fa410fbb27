/** The extension `worldwright:downloads`, which serves a whole world, or one type, as files. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { Extension, World, WorldRequest, WorldResponse } from '@worldwright/core'
import {
  damagedFault,
  fieldsFault,
  overloaded,
  splitTarget,
  unavailable,
  WorldFault,
} from '@worldwright/core'
import { rangedResponse } from '../files/byte-range.ts'
import { fileBytes } from '../files/file-bytes.ts'
import { licenceUrl } from '../files/licence.ts'
import type { Download, DownloadFile, DownloadFiles, DownloadFormat, NoFile } from './download.ts'
import { LIST, plain, takeOperation } from './operations.ts'

/** Name of the extension in the discovery document. */
export const DOWNLOADS_EXTENSION = 'worldwright:downloads'

/** Path prefix of downloads, on the world's origin. */
export const DOWNLOADS_PATH = '/download'

/** Link to a download, shown on pages. */
export interface OfferedDownload {
  readonly path: string
  readonly mediaType: string
  readonly name: string
}

/** Options for the extension `worldwright:downloads`. */
export interface DownloadsOptions {
  readonly files: DownloadFiles
  /** Formats, in the order in which they are listed. */
  readonly formats: readonly DownloadFormat[]
  /** Names of the formats whose files are prepared, in this order, if `files` can do so. Default: none. */
  readonly prepared?: readonly string[]
}

/** Maximum concurrent downloads per process, including those waiting for a file. Each uses an open file and a connection. */
const MOST_AT_ONCE = 100
/** `Retry-After` for a download that is being generated, in seconds. */
const RETRY_SECONDS = 10
/** `Cache-Control` of responses. Even if its world changes constantly, a download is regenerated only occasionally. */
const CACHING = 'public, max-age=60'

/**
 * Serves downloads. Each response has an entity tag, a length, a digest (RFC 9530) and a link to the licence. Ranges are
 * supported. In a private world, downloads require a token like all other data.
 */
export function downloads(options: DownloadsOptions): Extension {
  const { formats } = options
  return ({ world }) => {
    const served = new Downloads(world, options)
    const closing = new AbortController()
    return {
      name: DOWNLOADS_EXTENSION,
      open: () => void served.prepare(closing.signal),
      close: () => closing.abort(),
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
          // Waiting for a file costs nothing. This route limits the number of waiting requests itself.
          lane: 'free',
          answers: formats.map(({ mediaType }) => plain(mediaType)),
          operations: { GET: takeOperation(formats) },
          // Titles are those of other types.
          reads: (request, { file = '' }) =>
            file.includes(':') && titlesIn(request) === 'false' ? [subjectOf(file)] : undefined,
          methods: { GET: (request, { file = '' }) => served.take(request, file) },
        },
      ],
    }
  }
}

/** Returns the downloads to link to on a page: those of `type`, or of the whole world if `type` is undefined. */
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

/** Returns the download formats for `type`, or for the whole world if `type` is undefined. */
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
      body: JSON.stringify({ downloads, license, attribution }),
    }
  }

  #formats(type?: EntityTypeDescription): DownloadFormat[] {
    return formatsFor(type, this.#options.formats)
  }

  /** Prepares files one after another until the signal aborts. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { files, prepared = [] } = this.#options
    if (files.prepare === undefined || prepared.length === 0) return
    for (const type of await this.#world.types().catch(() => []))
      for (const name of prepared)
        if (!signal.aborted && this.#formats(type).some((format) => format.name === name))
          await files.prepare(this.#ofType(type, name))
  }

  async take(request: WorldRequest, name: string): Promise<WorldResponse> {
    const { format, ...named } = await this.#named(name)
    const titles = titlesIn(request)
    if (titles !== 'false' && (titles !== 'true' || !format.hasTitles))
      throw fieldsFault('invalid_parameter', 'titles is true or false, and true only for CSV.', BAD_TITLES)
    const download = { ...named, ...(titles === 'true' && { titles: true as const }) }
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

  /** Parses the file name of a download. @throws WorldFault `not_found`, `unknown_type` */
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
    return { ...this.#ofType(type, format.name), format }
  }

  #ofType({ type, schema }: EntityTypeDescription, format: string): Download {
    return { format, type, about: this.#about(), ...(schema && { schema }) }
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

const BAD_TITLES = [{ in: 'query', name: 'titles', reason: 'not_allowed' }] as const

/** Returns the parameter that asks for titles of referenced entities, or `false`. */
function titlesIn({ target }: WorldRequest): string {
  return new URLSearchParams(splitTarget(target).query).get('titles') ?? 'false'
}

/** Removes the extension from a file name, leaving a type or `world`. */
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

function nothing(name: string): WorldFault {
  return new WorldFault('not_found', 'There is no such download; /download lists them.', { name })
}

const TOO_MUCH = {
  too_wide: 'The type has too many attributes for a table. Use NDJSON.',
  too_large: 'Too many cells or references, or too long a text, for this. Use CSV without titles, or NDJSON.',
}

function refusal(reason: NoFile): WorldFault {
  if (reason === 'damaged') return damagedFault()
  if (reason === 'too_wide' || reason === 'too_large')
    return new WorldFault('not_found', TOO_MUCH[reason], { reason })
  const message =
    reason === 'full'
      ? 'There is no room to make this download.'
      : 'This download is being made. Ask for it again.'
  return unavailable(message, RETRY_SECONDS, { details: { reason } })
}
