/** Tiles of a map: pictures of the ground in Web Mercator, from a server that the world names. */
import { member, type Outlined, textMember } from '@worldwright/extensions/shown'
import { useOpenWorld } from '../parts/world-context.ts'
import { pictureFrom } from '../text/links.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'
import { allowedHosts, allowPictures } from '../world/picture-hosts.ts'
import type { MapFrame } from './map-frame.ts'
import { tilesOf } from './tile-grid.ts'

/** Matches the address of tiles: of one host, with each placeholder once, and at most 500 characters. */
const ADDRESS =
  /^(?=.{1,500}$)https:\/\/[^\s/{}?#@\\]+\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})(?:[^\s#\\{}]*\{[xyz]\}){3}[^\s#\\{}]*$/

/**
 * Returns the tiles of the open world, or undefined if the map is not of the Earth, or the world names none, or not as its
 * definition has to. Those of another world than the page's own may be fetched only if the user allows their host.
 */
export function useTiles(outline: Outlined | undefined) {
  const { profile } = useOpenWorld()
  const [, own] = profile.extensions.find(([name]) => name === 'worldwright:pages') ?? []
  const url = textMember(member(own, 'tiles'), 'url') ?? ''
  const attribution = plainText(textMember(member(own, 'tiles'), 'attribution') ?? '')
  const picture = ADDRESS.test(url) ? pictureFrom(url, profile.origins, true) : undefined
  if (outline !== 'earth' || picture === undefined || !/^.{1,200}$/s.test(attribution)) return undefined
  const { host, isOwn } = picture
  const isAllowed = isOwn || profile.origin === location.origin || allowedHosts.value.has(host)
  return { url, attribution, host, isAllowed }
}

/** The tiles that cover a map. One that cannot be fetched leaves the drawn ground visible. */
export function MapTiles({ url, frame, width }: { url: string; frame: MapFrame; width: number }) {
  return tilesOf(frame, width).map(({ left, top, size, ...place }) => {
    const src = url.replaceAll(/\{([xyz])\}/g, (_, name: 'x' | 'y' | 'z') => String(place[name]))
    return (
      <img
        key={src}
        class="tile"
        src={src}
        alt=""
        referrerpolicy="no-referrer"
        style={{ left: `${left}px`, top: `${top}px`, width: `${size}px`, height: `${size}px` }}
        onError={({ currentTarget }) => {
          currentTarget.style.visibility = 'hidden'
        }}
      />
    )
  })
}

/** Attribution of tiles, or a button that allows their host. `isCut` is true if the map ends before some of its places. */
export function TilesNote({ tiles, isCut }: { tiles: ReturnType<typeof useTiles>; isCut: boolean }) {
  if (tiles === undefined) return null
  const { attribution, host, isAllowed } = tiles
  if (!isAllowed)
    return (
      <button type="button" class="button small tiles-note" onClick={() => allowPictures(host)}>
        {words.value.views.tilesOf(host)}
      </button>
    )
  return (
    <p class="soft tiles-note">
      <bdi>{attribution}</bdi>
      {isCut && ` · ${words.value.views.mapEnds}`}
    </p>
  )
}
