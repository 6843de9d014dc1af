import { Link } from '@tanstack/react-router'
import { texts } from './texts/texts.ts'

/** What stands at an address that leads nowhere. */
export function NotThere() {
  return (
    <main className="alone">
      <h1>{texts.notThere}</h1>
      <p>
        <Link to="/">{texts.toHome}</Link>
      </p>
    </main>
  )
}
