/** Picture in the data of a world. A picture on another host is fetched only with the user's consent. */
import { useEffect, useState } from 'preact/hooks'
import type { Picture } from '../text/links.ts'
import { words } from '../words/words.ts'
import { allowedHosts, allowPictures } from '../world/picture-hosts.ts'
import { readPicture } from '../world/private-picture.ts'
import { tokenFor } from '../world/tokens.ts'
import { Out } from './link.tsx'
import { useOpenWorld } from './world-context.ts'

/** Shows a picture, or a button that allows all pictures on its host. */
export function Photo({ picture, label }: { picture: Picture; label: string }) {
  const { entity } = words.value
  if (picture.isOwn || allowedHosts.value.has(picture.host)) return <Shown picture={picture} label={label} />
  return (
    <span class="photo">
      <button type="button" class="button small" onClick={() => allowPictures(picture.host)}>
        {entity.picturesOf(picture.host)}
      </button>
    </span>
  )
}

function Shown({ picture, label }: { picture: Picture; label: string }) {
  const { source, isFailed, fail } = useSource(picture)
  const { entity } = words.value
  return (
    <span class="photo">
      {isFailed ? (
        <span class="soft">{entity.pictureFailed}</span>
      ) : (
        <Bitmap source={source} alt={entity.pictureAlt(label)} onError={fail} />
      )}
      <Out href={picture.href} text={picture.isOwn ? label : picture.host} />
    </span>
  )
}

/** An `img` element for a picture in the data of a world. */
export function Bitmap(props: {
  source: string | undefined
  alt: string
  class?: string
  onError: () => void
}) {
  const { source, alt, ...rest } = props
  return <img src={source} alt={alt} {...rest} loading="lazy" decoding="async" referrerpolicy="no-referrer" />
}

/** Returns the source for an `img`, and its failure state. With a token, the source is an object URL, at first undefined. */
export function useSource({ href, isOwn }: Picture) {
  const { world, profile } = useOpenWorld()
  const token = isOwn ? tokenFor(world.origin) : undefined
  const [source, setSource] = useState(token === undefined ? href : undefined)
  const [isFailed, setFailed] = useState(false)
  const fail = () => setFailed(true)

  useEffect(() => {
    if (token === undefined) return
    const reading = new AbortController()
    let made: string | undefined
    readPicture(href, { token, api: profile.api, signal: reading.signal }).then((blob) => {
      if (reading.signal.aborted) return
      made = URL.createObjectURL(blob)
      setSource(made)
    }, fail)
    return () => {
      reading.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [href, token])

  return { source, isFailed, fail }
}
