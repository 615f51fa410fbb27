/** Tools in the header of a list that is loaded: sharing, pinning and downloads. This module is loaded with the first list. */
import { isAsked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { PinButton } from '../desk/pins.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { downloadsUrl } from '../world/downloads.ts'
import type { Pages } from '../world/walk.ts'
import { pageSizeOf } from '../world/world-profile.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { ShareMenu, type ShareProps } from './share-menu.tsx'

/** Menus that share and download a list, and a button that pins it. */
export function ListTools({ route, pages, ...share }: ShareProps & { pages: Pages }) {
  const { profile } = useOpenWorld()
  // The files of the world contain all entities of a type, so they are offered only for an unfiltered list.
  const isWhole = !isAsked(route.asked ?? NOTHING_ASKED)
  const listUrl = downloadsUrl(profile)
  const buttons = (
    <DownloadButtons
      source={{
        name: route.type,
        total: share.walk.walked.total,
        pages: (signal) => pages({ cursor: undefined, pageSize: pageSizeOf(profile) }, signal),
      }}
    />
  )
  return (
    <>
      <ShareMenu route={route} {...share} />
      <PinButton route={route} />
      {listUrl === undefined ? (
        buttons
      ) : (
        <DownloadMenu listUrl={isWhole ? listUrl : ''} type={route.type} otherwise={buttons} />
      )}
    </>
  )
}
