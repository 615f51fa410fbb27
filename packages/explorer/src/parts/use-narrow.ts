/** Whether the page is as narrow as a phone's. */
import { useEffect, useState } from 'preact/hooks'

/** Below this width a table has no room. */
const NARROW = '(max-width: 39.99rem)'

/** True on narrow pages, also when a page becomes one. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const follow = () => setNarrow(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isNarrow
}
