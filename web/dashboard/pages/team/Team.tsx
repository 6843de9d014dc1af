import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '../../../../src/accounts/team/member-schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { nameOf, State, Time } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { may } from '../../session.ts'
import { texts } from '../../texts/texts.ts'
import { ChangeMember, InviteMember } from './MemberForms.tsx'
import { roleText } from './roles.ts'
import { RolesTable } from './RolesTable.tsx'

const COLUMNS: readonly Column<Member>[] = [
  { label: texts.member, show: nameOf },
  { label: texts.email, show: ({ email }) => email },
  {
    label: texts.role,
    show: ({ role, can_refund: refunds }) =>
      refunds ? `${roleText(role)}, ${texts.mayRefund}` : roleText(role),
  },
  {
    label: texts.state,
    show: ({ is_invited: isInvited }) =>
      isInvited ? <State word={texts.invited} tone="warning" /> : <State word={texts.active} tone="good" />,
  },
  { label: texts.since, show: ({ created }) => <Time time={created} /> },
]

const INVITING = { body: { email: 'ada@example.com', role: 'support' } }

/** As many as most teams have, as the roles stand below. */
const EXPECTED = 3

/** Who else works in the account, as what, and what each role may. */
export function Team() {
  const { account, accountPath } = usePlace()
  const [isInviting, setInviting] = useCreating('members')
  const [changing, setChanging] = useState<Member | null>(null)
  const [removing, setRemoving] = useState<Member | null>(null)
  const shown = { columns: COLUMNS, expected: EXPECTED, making: INVITING }
  return (
    <>
      <List<Member>
        {...shown}
        title={texts.team}
        about={texts.teamAbout}
        create={
          <Allowed group="members">
            {(barred) => (
              <Button {...barred} onClick={() => setInviting(true)}>
                {texts.invite}
              </Button>
            )}
          </Allowed>
        }
        path={`${accountPath}/members.json`}
        items="members"
        rowActions={(member) => (
          <Deeds member={member} change={() => setChanging(member)} remove={() => setRemoving(member)} />
        )}
        empty={[texts.noMembers, texts.noMembersMore]}
      />
      {may(account, 'members', 'read') ? <RolesTable /> : null}
      {isInviting ? <InviteMember close={() => setInviting(false)} /> : null}
      {changing === null ? null : <ChangeMember member={changing} close={() => setChanging(null)} />}
      {removing === null ? null : (
        <Confirm
          title={texts.removeMember}
          text={fill(texts.removeMemberMore, {
            name: nameOf(removing),
            email: removing.email,
            role: roleText(removing.role),
          })}
          keep={texts.keepMember}
          sent={{ method: 'DELETE', path: `${accountPath}/members/${removing.id}.json` }}
          close={() => setRemoving(null)}
        />
      )}
    </>
  )
}

interface OfMember {
  readonly member: Member
  readonly change: () => void
  readonly remove: () => void
}

const Deeds = ({ member, change, remove }: OfMember) => (
  <Allowed group="members" isQuiet>
    {(barred) => (
      <Group gap={8} justify="flex-end">
        {(
          [
            [texts.changeRole, change],
            [texts.remove, remove],
          ] as const
        ).map(([word, press]) => (
          <Button
            {...barred}
            key={word}
            variant="default"
            size="compact-sm"
            aria-label={`${word}: ${nameOf(member)}`}
            onClick={press}
          >
            {word}
          </Button>
        ))}
      </Group>
    )}
  </Allowed>
)
