import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '../../../../src/accounts/team/member-schema.ts'
import { fill } from '../../../shared/language.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { nameOf } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { ROLES, roleText, type Role } from './roles.ts'

/** Mails somebody a link by which to join the team. */
export function InviteMember({ close }: { readonly close: () => void }) {
  const { accountPath } = usePlace()
  const doing = useDoing<Member>(close)
  const submit = (form: FormData) => {
    const text = (name: string) => String(form.get(name)).trim()
    doing.send({
      method: 'POST',
      path: `${accountPath}/members.json`,
      body: { email: text('email'), first: text('first'), last: text('last'), ...roleOf(form) },
    })
  }
  return (
    <Dialog
      title={texts.invite}
      isOpen
      close={close}
      act={texts.sendInvitation}
      doing={doing}
      fields={['email', 'first', 'last', ...RIGHTS]}
      submit={submit}
    >
      <TextInput
        name="email"
        type="email"
        label={texts.email}
        description={texts.inviteHelp}
        error={doing.faultOf('email')}
        autoComplete="off"
      />
      <TextInput name="first" label={texts.firstName} error={doing.faultOf('first')} autoComplete="off" />
      <TextInput name="last" label={texts.lastName} error={doing.faultOf('last')} autoComplete="off" />
      <RoleChoice role="support" canRefund={false} faultOf={doing.faultOf} />
    </Dialog>
  )
}

/** Gives a member another role, which holds at once. */
export function ChangeMember({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const { accountPath } = usePlace()
  const doing = useDoing<Member>(close)
  return (
    <Dialog
      title={fill(texts.changeRoleOf, { name: nameOf(member) })}
      isOpen
      close={close}
      act={texts.save}
      doing={doing}
      fields={RIGHTS}
      submit={(form) =>
        doing.send({
          method: 'PUT',
          path: `${accountPath}/members/${member.id}.json`,
          body: roleOf(form),
        })
      }
    >
      <RoleChoice role={member.role} canRefund={member.can_refund} faultOf={doing.faultOf} />
    </Dialog>
  )
}

const roleOf = (form: FormData) => ({
  role: form.get('role'),
  ...(form.get('role') === 'support' && { can_refund: form.has('can_refund') }),
})

/** What the server names of a role. */
const RIGHTS = ['role', 'can_refund']

interface Choosing {
  readonly role: Role
  readonly canRefund: boolean
  readonly faultOf: (field: string) => string | undefined
}

/** The role, and of support the right that it may be given beside. */
function RoleChoice({ role, canRefund, faultOf }: Choosing) {
  const [chosen, setChosen] = useState<string>(role)
  return (
    <>
      <NativeSelect
        name="role"
        label={texts.role}
        description={texts.rolesAbout[chosen as Role]}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        error={faultOf('role')}
        data={ROLES.map((value) => ({ value, label: roleText(value) }))}
      />
      {chosen === 'support' ? (
        <Checkbox
          name="can_refund"
          label={texts.canRefund}
          defaultChecked={canRefund}
          error={faultOf('can_refund')}
          aria-invalid={faultOf('can_refund') !== undefined}
        />
      ) : null}
    </>
  )
}
