import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Activation, VerifiedLicense } from '../../../../src/licensing/activation/activation-schema.ts'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { Problem } from '../../../shared/call.ts'
import { fill } from '../../../shared/language.ts'
import { faultIn } from '../../../ui/doing.tsx'
import { useOnce } from '../../../ui/once.ts'
import { Dialog } from '../../Dialog.tsx'
import { ask, send } from '../../../ui/server.ts'
import { activationOf } from '../../curl.ts'
import { MakingCall } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { sessionQuery } from '../../session.ts'
import { texts } from '../../texts/texts.ts'

interface Tried {
  readonly license: Pick<License, 'user_id'>
  /** What the calls about the license begin with. */
  readonly own: string
  readonly close: () => void
}

/** A host of a test takes no place of a license, unless its plan says so. */
const TEST_SITE = 'https://my-site.test'
const OWNER = ['user_email', 'first_name', 'last_name'] as const

const newUid = (): string => crypto.randomUUID().replaceAll('-', '')

/** Does what a client does with a license key, from the page: it activates it on a site, and verifies that. */
export function TryActivation({ license, own, close }: Tried) {
  const { path, product, wayTo } = usePlace()
  const [uid] = useState(newUid)
  const { isBusy, problem, done, start } = useTrying(path, own)
  const faultOf = (name: string) => faultIn(problem, name)
  const isOwned = license.user_id !== null
  return (
    <Dialog
      title={texts.tryActivation}
      isOpen
      close={close}
      act={done ? texts.done : texts.activate}
      doing={{ isBusy, problem }}
      fields={['url', 'uid', ...(isOwned ? [] : OWNER)]}
      submit={(form) => (done ? close() : start(Object.fromEntries(form.entries())))}
    >
      {done ? (
        <>
          <p role="status" className={done.isValid ? 'note good' : 'note bad'}>
            {fill(done.isValid ? texts.activatedAndValid : texts.activatedNotValid, { reason: done.reason })}
          </p>
          <p>
            <Link {...wayTo('install', done.install)}>{texts.install}</Link>
          </p>
        </>
      ) : (
        <>
          <p className="muted">{texts.tryActivationMore}</p>
          <TextInput name="url" label={texts.siteAddress} defaultValue={TEST_SITE} error={faultOf('url')} />
          <TextInput name="uid" label={texts.uid} defaultValue={uid} error={faultOf('uid')} />
          {isOwned ? null : <NewOwner faultOf={faultOf} />}
          <MakingCall making={activationOf(product)} isOpen={false} />
        </>
      )}
    </Dialog>
  )
}

/** Whose it becomes; at first the person who tries it. */
function NewOwner({ faultOf }: { readonly faultOf: (name: string) => string | undefined }) {
  const { data: session } = useQuery(sessionQuery)
  const labels = [texts.email, texts.firstName, texts.lastName]
  const { email = '', first, last } = session?.person ?? {}
  const person = [email, first || texts.testFirst, last || texts.testLast]
  return (
    <>
      <p className="muted">{texts.activationOwner}</p>
      {OWNER.map((name, at) => (
        <TextInput
          key={name}
          name={name}
          label={labels[at]}
          defaultValue={person[at]}
          error={faultOf(name)}
          autoComplete="off"
        />
      ))}
    </>
  )
}

interface Outcome {
  readonly install: string
  readonly isValid: boolean
  readonly reason: string
}

function useTrying(path: string, own: string) {
  const queries = useQueryClient()
  const once = useOnce()
  // A key is in what is sent, and secrets of the install in what is answered: neither is kept.
  const trying = useMutation({
    gcTime: 0,
    mutationFn: async (said: object): Promise<Outcome> => {
      const shown = {
        method: 'POST',
        path: `${own}/key/show.json`,
        query: { fields: 'id,secret_key' },
      } as const
      const { secret_key: key } = await send<{ readonly secret_key: string }>(shown)
      const body = { ...said, license_key: key }
      const made = await send<Activation>({
        method: 'POST',
        path: `${path}/licenses/activate.json`,
        body,
        key: once.keyOf(JSON.stringify(body)),
      })
      const { uid } = said as { readonly uid: string }
      const verified = `${path}/installs/${made.install_id}/license.json`
      const found = await ask<VerifiedLicense>(verified, { uid, license_key: key })
      return { install: made.install_id, isValid: found.valid, reason: found.reason ?? '' }
    },
    onSuccess: () => queries.invalidateQueries(),
    onSettled: (_, error) => once.answered(error instanceof Problem ? error : null),
  })
  return {
    isBusy: trying.isPending,
    problem: trying.error instanceof Problem ? trying.error : null,
    done: trying.data,
    start: (said: object) => {
      if (!trying.isPending) trying.mutate(said)
    },
  }
}
