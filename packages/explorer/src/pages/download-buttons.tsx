/** Taking along what is shown. */
import type { Entity } from '@worldwright/client'
import { csvFrom, ndjsonFrom } from '../copy/rows.ts'
import { DownloadIcon } from '../parts/icons.tsx'
import { count, words } from '../words/words.ts'

/** Buttons that save the entities at hand as NDJSON or CSV. `name` becomes the file's. */
export function DownloadButtons({ entities, name }: { entities: readonly Entity[]; name: string }) {
  const { list } = words.value
  const number = count(entities.length)
  if (entities.length === 0) return null
  const file = name.replace(/[^A-Za-z0-9._-]+/g, '-')
  return (
    <fieldset class="joined">
      <legend class="hidden">{list.download}</legend>
      <button
        type="button"
        class="button"
        aria-label={list.asNdjson(number)}
        title={list.asNdjson(number)}
        onClick={() => save(`${file}.ndjson`, 'application/x-ndjson', ndjsonFrom(entities))}
      >
        <DownloadIcon /> NDJSON
      </button>
      <button
        type="button"
        class="button"
        aria-label={list.asCsv(number)}
        title={list.asCsv(number)}
        onClick={() => save(`${file}.csv`, 'text/csv', csvFrom(entities))}
      >
        CSV
      </button>
    </fieldset>
  )
}

/** Browsers take the name and the bytes from a link that is clicked. */
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
