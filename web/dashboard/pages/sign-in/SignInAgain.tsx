import { Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { prefix } from '../../../ui/server.ts'
import { sessionQuery } from '../../session.ts'
import { goOnSignedIn } from '../../signed-out.ts'
import { texts } from '../../texts/texts.ts'
import { SignInForm } from './SignInForm.tsx'

/** Above whatever else is open. */
const TOP = 400

const stay = () => undefined

/** Signs in over a page whose session has ended: what was typed there stays, and nobody reads it meanwhile. */
export function SignInAgain() {
  const queries = useQueryClient()
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  return (
    <Modal.Root opened onClose={stay} closeOnEscape={false} radius={10} zIndex={TOP}>
      <Modal.Overlay backgroundOpacity={1} color="var(--subtle)" />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{texts.signIn}</Modal.Title>
        </div>
        <Modal.Body>
          <SignInForm
            note={texts.signedOutHere}
            email={session?.person.email ?? ''}
            entered={() => goOnSignedIn(queries)}
          >
            <p>
              <a href={`${prefix}/dashboard/forgotten`} target="_blank" rel="noreferrer">
                {texts.forgotten}
              </a>
            </p>
          </SignInForm>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
