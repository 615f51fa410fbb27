/** The box that opens a world by its address, and recently opened worlds. */
import { useId, useState } from 'preact/hooks'
import { navigate } from '../navigation/navigation.ts'
import { originTyped } from '../navigation/route.ts'
import { forgetWorld, recentWorlds } from '../navigation/settings.ts'
import { CrossIcon } from '../parts/icons.tsx'
import { To } from '../parts/link.tsx'
import { ShortText } from '../parts/text.tsx'
import { words } from '../words/words.ts'

/** The box in which somebody types the address of a world to open it. */
export function OpenBox() {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const id = useId()
  const { start } = words.value

  function open(event: SubmitEvent) {
    event.preventDefault()
    const origin = originTyped(text)
    setWrong(origin === undefined)
    if (origin !== undefined) navigate({ page: 'home', origin })
  }

  return (
    <form class="open-box" onSubmit={open} noValidate>
      <label for={id}>{start.label}</label>
      <div class="row">
        <input
          id={id}
          class="field"
          type="url"
          inputMode="url"
          dir="ltr"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          placeholder={start.placeholder}
          value={text}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-wrong` : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button primary">
          {start.open}
        </button>
      </div>
      {isWrong && (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          {start.invalid}
        </p>
      )}
    </form>
  )
}

/** Recently opened worlds, to be opened again or forgotten; `except` is the one that is open. */
export function RecentWorlds({ except }: { except?: string }) {
  const { start } = words.value
  const worlds = recentWorlds.value.filter(({ origin }) => origin !== except)
  if (worlds.length === 0) return except === undefined ? <p class="soft">{start.noRecent}</p> : null
  return (
    <ul class="recent">
      {worlds.map(({ origin, name }) => (
        <li key={origin}>
          <To route={{ page: 'home', origin }}>
            <span class="recent-name">
              <ShortText text={name} most={80} />
            </span>
            <span class="soft code">
              <ShortText text={origin} most={80} />
            </span>
          </To>
          <button
            type="button"
            class="button icon-only"
            aria-label={start.forget(name)}
            onClick={() => forgetWorld(origin)}
          >
            <CrossIcon />
          </button>
        </li>
      ))}
    </ul>
  )
}
