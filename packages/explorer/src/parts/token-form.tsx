/** The box for the token of a private world. */
import { useId, useState } from 'preact/hooks'
import { words } from '../words/words.ts'
import { tokenFor, tokenTyped } from '../world/tokens.ts'
import { enterWorld } from '../world/worlds.ts'

/** Takes a token for the world at `origin` and opens it again with that; a known token can be forgotten. */
export function TokenForm({ origin }: { origin: string }) {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const id = useId()
  const { token } = words.value

  function enter(event: SubmitEvent) {
    event.preventDefault()
    const typed = tokenTyped(text)
    setWrong(typed === undefined)
    if (typed !== undefined) enterWorld(origin, typed)
  }

  return (
    <form class="open-box" onSubmit={enter} noValidate>
      <label for={id}>{token.label}</label>
      <div class="row">
        <input
          id={id}
          class="field"
          type="password"
          dir="ltr"
          autocomplete="off"
          value={text}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-wrong` : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button primary">
          {token.use}
        </button>
        {tokenFor(origin) !== undefined && (
          <button
            type="button"
            class="button"
            onClick={() => {
              enterWorld(origin, undefined)
              // What was read with it must not stay behind.
              location.reload()
            }}
          >
            {token.forget}
          </button>
        )}
      </div>
      {isWrong && (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          {token.invalid}
        </p>
      )}
    </form>
  )
}
