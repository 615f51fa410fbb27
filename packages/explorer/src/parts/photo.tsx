/** A picture in a world's data. One from another host is fetched only at the user's request. */
import { useEffect, useState } from 'preact/hooks'
import type { Picture } from '../text/links.ts'
import { words } from '../words/words.ts'
import { allowedHosts, allowPictures } from '../world/picture-hosts.ts'
import { readPicture } from '../world/private-picture.ts'
import { tokenFor } from '../world/tokens.ts'
import { Out } from './link.tsx'
import { useOpenWorld } from './world-context.ts'

/** Shows a picture, or a button that shows all pictures of its host. */
export function Photo({ picture, label }: { picture: Picture; label: string }) {
  const { entity } = words.value
  if (picture.isOwn || allowedHosts.value.has(picture.host)) return <Shown picture={picture} label={label} />
  return (
    <span class="photo">
      <button type="button" class="button small" onClick={() => allowPictures(picture.host)}>
        {entity.picture(picture.host)}
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
      <Out href={picture.href} text={picture.host} />
    </span>
  )
}

/** A picture in a world's data, as an `img` element. */
export function Bitmap(props: {
  source: string | undefined
  alt: string
  class?: string
  onError: () => void
}) {
  const { source, alt, ...rest } = props
  return <img src={source} alt={alt} {...rest} loading="lazy" decoding="async" referrerpolicy="no-referrer" />
}

/** Returns the source of an `img`: the picture's address, or its bytes if a token is needed, undefined until they arrive. */
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
