/** Form for the token of a private world. */
import { words } from '../words/words.ts'
import { tokenFor, tokenTyped } from '../world/tokens.ts'
import { enterWorld } from '../world/worlds.ts'
import { LineForm } from './line-form.tsx'

/** Form for the token of the world at `origin`. Submitting it reopens the world. A known token can be forgotten. */
export function TokenForm({ origin }: { origin: string }) {
  const { token } = words.value

  function enter(text: string) {
    const typed = tokenTyped(text)
    if (typed !== undefined) enterWorld(origin, typed)
    return typed !== undefined
  }

  function forget() {
    enterWorld(origin, undefined)
    // Data read with the token must not stay on the page.
    location.reload()
  }

  const box = { type: 'password', autocomplete: 'off' } as const
  return (
    <LineForm label={token.label} box={box} button={token.use} wrong={token.invalid} onText={enter}>
      {tokenFor(origin) !== undefined && (
        <button type="button" class="button" onClick={forget}>
          {token.forget}
        </button>
      )}
    </LineForm>
  )
}
