import { Button } from '@mantine/core'
import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { texts } from '../texts/texts.ts'

/** What stands at an address that leads nowhere, or to an account of somebody else. */
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

/** What stands in the place of a page that broke: what it said is for whoever mends it. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <div className="panel blank" role="alert">
      <h1>{texts.broken}</h1>
      <p className="muted">
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </p>
      <Button variant="default" onClick={reset}>
        {texts.tryAgain}
      </Button>
    </div>
  )
}
