/** A picture of a world's data. One from elsewhere is fetched only when the reader asks for it. */
import { useState } from 'preact/hooks'
import type { Picture } from '../text/links.ts'
import { words } from '../words/words.ts'
import { Out } from './link.tsx'

/** Shows a picture, or a button that does. */
export function Photo({ picture, label }: { picture: Picture; label: string }) {
  const [state, setState] = useState<'hidden' | 'shown' | 'failed'>(picture.isOwn ? 'shown' : 'hidden')
  const { entity } = words.value
  if (state === 'hidden') {
    return (
      <span class="photo">
        <button type="button" class="button small" onClick={() => setState('shown')}>
          {entity.picture(picture.host)}
        </button>
      </span>
    )
  }
  return (
    <span class="photo">
      {state === 'failed' ? (
        <span class="soft">{entity.pictureFailed}</span>
      ) : (
        <img
          src={picture.href}
          alt={entity.pictureAlt(label)}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setState('failed')}
        />
      )}
      <Out href={picture.href} text={picture.host} />
    </span>
  )
}
