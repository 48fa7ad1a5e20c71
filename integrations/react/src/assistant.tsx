import 'ubik-elements/define.js';

type Props = { user: { id: string }; fetchToken: () => Promise<string> };

export function Assistant({ user, fetchToken }: Props) {
  return <ubik-chat base-url="/api/v1" userKey={user.id} getToken={fetchToken} />;
}
