/** Download of a whole list rather than its loaded part. */
import type { EntityList } from '@worldwright/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { csvFrom, ndjsonFrom } from '../copy/rows.ts'
import { DownloadIcon } from '../parts/icons.tsx'
import { ShortText } from '../parts/text.tsx'
import { counted, words } from '../words/words.ts'
import { isAborted } from '../world/failure.ts'
import { MOST_TAKEN, readWhole } from '../world/whole-list.ts'

const FORMATS = {
  ndjson: { label: 'NDJSON', media: 'application/x-ndjson', write: ndjsonFrom },
  csv: { label: 'CSV', media: 'text/csv', write: csvFrom },
} as const

type Format = keyof typeof FORMATS

/** A list that can be downloaded. */
export interface Source {
  /** Base name of the file. Each run of characters other than letters, digits, `.`, `_` and `-` is replaced by `-`. */
  readonly name: string
  readonly total: number | undefined
  /** Returns the pages of the whole list, from its beginning. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<EntityList>
}

/** Buttons that read a whole list and save it as a file. A running download shows its progress and a cancel button. */
export function DownloadButtons({ source }: { source: Source }) {
  const { start, stop, read, note } = useDownload(source)
  const { list, app } = words.value
  const { total } = source
  if (total === 0) return null
  const number = total === undefined ? undefined : counted(Math.min(total, MOST_TAKEN))
  if (read !== undefined) {
    return (
      <span class="row">
        <span role="status">{list.reading(counted(read), number)}</span>
        <button type="button" class="button" onClick={stop}>
          {app.cancel}
        </button>
      </span>
    )
  }
  const isCut = total !== undefined && total > MOST_TAKEN
  return (
    <fieldset class="joined">
      <legend class="hidden">{list.download}</legend>
      {(Object.keys(FORMATS) as Format[]).map((format, index) => {
        const { label } = FORMATS[format]
        const said = isCut
          ? list.downloadFirst(counted(MOST_TAKEN), counted(total), label)
          : list.downloadAs(number, label)
        return (
          <button key={format} type="button" class="button" title={said} onClick={() => start(format)}>
            {index === 0 && <DownloadIcon />}
            <span class="hidden">{list.download} </span>
            {label} {number !== undefined && <small class="count">{String(number)}</small>}
          </button>
        )
      })}
      <span role="status" class="soft said">
        {note !== undefined && <ShortText text={note} most={200} />}
      </span>
    </fieldset>
  )
}

/** Manages the download, which is aborted when the view is closed. */
function useDownload(source: Source) {
  const [read, setRead] = useState<number>()
  const [note, setNote] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const { list } = words.value

  useEffect(() => () => running.current?.abort(), [])

  async function start(format: Format) {
    const controller = new AbortController()
    running.current = controller
    setNote(undefined)
    setRead(0)
    try {
      const { entities, isCut } = await readWhole(source.pages(controller.signal), setRead)
      const { media, write } = FORMATS[format]
      save(`${source.name.replace(/[^A-Za-z0-9._-]+/g, '-')}.${format}`, media, write(entities))
      setNote(isCut ? list.savedFirst(counted(entities.length)) : list.saved(counted(entities.length)))
    } catch (error) {
      // An incomplete list must not be saved as if it were complete.
      if (!isAborted(error)) setNote(list.notSaved(error instanceof Error ? error.message : String(error)))
    } finally {
      setRead(undefined)
    }
  }

  return { start, stop: () => running.current?.abort(), read, note }
}

/** Saves `text` as a file by clicking a temporary download link. */
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then, the browser has started to read the URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
