import { useEffect } from 'react'
import { texts } from '../texts/texts.ts'

/** What a user sees at the end, who is nobody's any more. */
export function Erased() {
  useEffect(() => {
    document.title = `${texts.erasedTitle} · ${texts.portal}`
  }, [])
  return (
    <main className="alone">
      <h1>{texts.erasedTitle}</h1>
      <p>{texts.erasedMore}</p>
    </main>
  )
}
