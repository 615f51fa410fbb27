/** Menu of the files to download for a world or for one of its types. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { PartFailure } from '../parts/failure-view.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import { Paragraph, ShortText, Text } from '../parts/text.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { words } from '../words/words.ts'
import { readDownloads, type WorldDownloads } from '../world/downloads.ts'
import { createMemory } from '../world/memory.ts'
import { fetchOf } from '../world/worlds.ts'

const lists = createMemory<WorldDownloads>(20)

/** Display names of known formats. Any other format is shown under its own name. */
const NAMES: Readonly<Record<string, string>> = {
  ndjson: 'NDJSON',
  csv: 'CSV',
  xlsx: 'Excel',
  parquet: 'Parquet',
  geojson: 'GeoJSON',
}

/**
 * Menu of the files to download for a type, or for the whole world if `type` is absent, with the licence. The list is
 * requested when the menu is opened. If `listUrl` is empty, the request fails or there are no files, `otherwise` is shown.
 */
export function DownloadMenu(props: { listUrl: string; type?: string; otherwise?: ComponentChildren }) {
  const { listUrl, type, otherwise } = props
  const { profile } = useOpenWorld()
  const { list, about, app } = words.value
  const [isOpen, setOpen] = useState(false)
  const read = useRemote(
    isOpen && listUrl !== '' ? listUrl : undefined,
    (signal) => readDownloads(listUrl, fetchOf(profile.origin), signal),
    { memory: lists },
  )
  const files = read.value?.filter((file) => file.type === type)
  const { license, attribution } = profile
  return (
    <Menu class="downloads" icon={DownloadIcon} label={list.download} onToggle={setOpen}>
      {isOpen && read.isBusy && files === undefined && <p role="status">{app.loading}</p>}
      {files?.length === 0 && <p class="soft">{list.noFiles}</p>}
      <ul>
        {files?.map(({ url, format, loses }) => (
          <li key={url}>
            <a href={url} download="" referrerpolicy="no-referrer">
              <ShortText text={Object.hasOwn(NAMES, format) ? (NAMES[format] ?? format) : format} most={20} />
            </a>
            {loses !== undefined && (
              <p class="soft">
                {list.loses} <Text text={loses} most={300} />
              </p>
            )}
          </li>
        ))}
      </ul>
      <PartFailure of={read} />
      {(listUrl === '' || read.failure !== undefined || files?.length === 0) && otherwise}
      {license !== undefined && (
        <p class="soft">
          {about.license}: <Text text={license} most={200} />
        </p>
      )}
      <Paragraph class="soft" text={attribution} most={300} />
    </Menu>
  )
}
