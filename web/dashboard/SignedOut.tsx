import { drawnLater } from '../ui/later.tsx'
import { useIsOver } from './signed-out.ts'

const SignInAgain = drawnLater(async () => (await import('./pages/sign-in/SignInAgain.tsx')).SignInAgain)

/** Asks who was signed out while a page is open to sign in over it, so that nothing on it is lost. */
export function SignedOut() {
  return useIsOver() ? <SignInAgain /> : null
}
