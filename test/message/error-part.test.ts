import { expect } from '@open-wc/testing';
import { ErrorDetails, redactCredentials } from '../../src/message/error-details.js';
import type { PartFields } from '../../src/model/part.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import { part, setupMessageView } from './message-fixture.js';

const FAILURE: PartFields = {
  kind: 'error',
  message: 'The model call failed.',
  details: '{"trace":"File x"}',
  code: 'Agent.ModelFailed',
  advice: 'Try again later.',
};

describe('error part of a service that describes its errors', () => {
  it('shows the reason and the advice, and the code in a closed disclosure', () => {
    const { run, query, text: shownText } = setupMessageView();
    run(part('e', FAILURE));
    expect(shownText('.error > p')).to.equal(
      'Something went wrong The model call failed. Try again later.',
    );
    expect(query<HTMLDetailsElement>('.error details').open).to.equal(false);
    expect(shownText('.error details')).to.equal('Details Code: Agent.ModelFailed Copy details');
  });

  it('explains the error in the language of the interface when it has only a code', () => {
    const { run, text: shownText } = setupMessageView();
    run(part('e', { kind: 'error', message: '', details: null, code: 'E7' }));
    expect(shownText('.error > p')).to.equal(
      'Something went wrong The assistant ended with an error.',
    );
    expect(shownText('.error details')).to.contain('Code: E7');
  });

  it('shows the details of the service only when the host page allows them', () => {
    for (const errorDetails of [false, true]) {
      const { run, query } = setupMessageView({ errorDetails });
      run(part('e', FAILURE));
      expect(query('.error details').textContent.includes('File x')).to.equal(errorDetails);
    }
  });

  it('keeps its disclosure open when the error is described later', () => {
    const { run, query, text: shownText } = setupMessageView();
    run(part('e', { kind: 'error', message: '', details: null, code: 'E7' }));
    query<HTMLDetailsElement>('.error details').open = true;
    run(part('e', FAILURE));
    expect(query<HTMLDetailsElement>('.error details').open).to.equal(true);
    expect(shownText('.error > p')).to.contain('The model call failed.');
  });

  it('has details with a code, with details of the service, with both or with none', () => {
    const { context, root } = setupMessageView({ errorDetails: true });
    const view = new ErrorDetails(context);
    root.append(view.node);
    const lines = (code: string | undefined, details: string | null): (string | null)[] => {
      view.render({ message: 'Locked', details, ...(code !== undefined && { code }) });
      return [...view.node.querySelectorAll('details > *')].map(({ textContent }) => textContent);
    };
    expect(lines('E7', 'File x')).to.deep.equal(['Details', 'Code: E7', 'File x', 'Copy details']);
    expect(lines('E7', null)).to.deep.equal(['Details', 'Code: E7', 'Copy details']);
    expect(lines(undefined, 'File x')).to.deep.equal(['Details', 'File x', 'Copy details']);
    expect(lines(undefined, null)).to.deep.equal([]);
    expect(view.node.childElementCount).to.equal(0);
  });

  it('has a gap between the error and its details', () => {
    const { run, query } = setupMessageView({ styled: true });
    run(part('e', FAILURE));
    expect(getComputedStyle(query('.error-details details')).marginBlockStart).not.to.equal('0px');
  });

  it('has no disclosure without a code when the details of the service are hidden', () => {
    const { run, root } = setupMessageView();
    run(part('e', { kind: 'error', message: 'Locked', details: '{"a":1}', advice: 'Unlock it.' }));
    expect(root.querySelector('.error details')).to.equal(null);
  });
});

describe('Copy details', () => {
  for (const errorDetails of [false, true]) {
    it(`copies reason, code and ids ${errorDetails ? 'with' : 'without'} the details of the service`, () => {
      const clipboard = mockClipboard();
      const fields = { id: 'M7', runId: 'R3' };
      const { run, query, remove } = setupMessageView({ errorDetails, fields });
      run(part('e', FAILURE));
      query('.error-details button').click();
      const report =
        'The model call failed. Try again later.\ncode=Agent.ModelFailed run=R3 message=M7';
      expect(clipboard.written).to.deep.equal([
        errorDetails ? `${report}\n\n{"trace":"File x"}` : report,
      ]);
      clipboard.restore();
      remove();
    });
  }

  it('copies no token, and shows none in the details', () => {
    const clipboard = mockClipboard();
    const secret = 'eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl';
    const { run, query, remove } = setupMessageView({ errorDetails: true });
    run(
      part('e', {
        kind: 'error',
        message: `Refused: Bearer ${secret}`,
        details: JSON.stringify({ header: `authorization: bearer ${secret}`, token: secret }),
        code: 'E7',
      }),
    );
    query('.error-details button').click();
    expect(clipboard.written.join()).not.to.contain(secret);
    expect(query('.error details').textContent).not.to.contain(secret);
    clipboard.restore();
    remove();
  });

  it('redacts the values of Bearer and Basic, and JSON Web Tokens, and nothing else', () => {
    for (const [raw, expected] of [
      ['Authorization: Bearer abc.DEF-1~+/=, next', 'Authorization: Bearer [token], next'],
      ['Basic dXNlcjpwYXNz', 'Basic [token]'],
      ['token=eyJh.eyJz.c2ln;', 'token=[token];'],
      ['{"authorization": "bearer secret"}', '{"authorization": "bearer [token]"}'],
      ['Bearer qwerty-asdf', 'Bearer [token]'],
      ['basic abcdefghijklmnopqr', 'basic [token]'],
      ['The bearer', 'The bearer'],
      ['Bearer token missing', 'Bearer token missing'],
      ['The basic plan allows 10 rows', 'The basic plan allows 10 rows'],
      ['Use Basic authentication.', 'Use Basic authentication.'],
      ['Bearer realm="a"', 'Bearer realm="a"'],
      ['token-eyJh-_.eyJz, eyJh-eyJh.', 'token-[token], eyJh-eyJh.'],
      ['key: eyJh', 'key: eyJh'],
      [
        '{"name":"Authorization","value":"Bearer hunter"}',
        '{"name":"Authorization","value":"Bearer [token]"}',
      ],
      ['"authorization": [\n      "Bearer hunter"', '"authorization": [\n      "Bearer [token]"'],
      ['http_authorization: Bearer tokensecret', 'http_authorization: Bearer [token]'],
      // Details are redacted as the service has sent them, with the escapes of JSON and URLs.
      [
        String.raw`{"trace":"was:\neyJhbGciOi.eyJzdWIi.c2ln"}`,
        String.raw`{"trace":"was:\n[token]"}`,
      ],
      [
        String.raw`{"trace":"sent:\nBearer s3cr3t-abc"}`,
        String.raw`{"trace":"sent:\nBearer [token]"}`,
      ],
      [String.raw`{"h":"Bearer\ts3cr3t-abc"}`, '{"h":"Bearer [token]"}'],
      [String.raw`\u0022eyJhbGciOi.eyJz.c2ln\u0022`, String.raw`\u0022[token]\u0022`],
      [String.raw`h\u003aBearer\u0020s3cr3t-abc`, String.raw`h\u003aBearer [token]`],
      ['next=%22eyJhbGciOi.eyJz.c2ln', 'next=%22[token]'],
      ['?t%3DeyJhbGciOi.eyJz.c2ln', '?t%3D[token]'],
      ['?h=Bearer+s3cr3t-abc&g=Basic%20dXNlcjpwYXNz', '?h=Bearer [token]&g=Basic [token]'],
      ['id_token_eyJhbGciOi.eyJz.c2ln', 'id_token_[token]'],
      ['monkeyJar.opened.wide', 'monkeyJar.opened.wide'],
      ['Bearer abc:DEF123secret', 'Bearer [token]'],
      ['Bearer opaque|Zx81', 'Bearer [token]'],
      ['The basic $20 plan', 'The basic $20 plan'],
      ['| Basic | Pro |', '| Basic | Pro |'],
      ['Basic authentication: required', 'Basic authentication: required'],
    ] as const) {
      expect(redactCredentials(raw)).to.equal(expected);
    }
  });
});
