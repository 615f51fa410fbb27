/** Parts of the page that are fetched when they are first needed. */
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component that is fetched by `load` with its first use; nothing is shown until it is there, or where it never comes. */
export function loaded<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let known: FunctionComponent<Props> | undefined
  return (props) => {
    const [, draw] = useState(0)
    useEffect(() => {
      if (known !== undefined) return
      load().then(
        (component) => {
          known = component
          draw(1)
        },
        // What it adds is missing then; the page stands without it.
        () => {},
      )
    }, [])
    const Component = known
    return Component === undefined ? null : <Component {...props} />
  }
}
