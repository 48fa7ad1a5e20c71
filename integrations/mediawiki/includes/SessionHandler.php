<?php

namespace UbikChat;

use MediaWiki\Rest\Response;

/** Responds with `{"userKey", "nonce"}`, both null for a guest who may not chat. */
class SessionHandler extends RouteHandler {

	public function run(): Response {
		$visitor = $this->createVisitor();
		$visitor->ensureGuestId();
		$id = $visitor->getExternalId();
		return $this->createResponse( 200, [
			'userKey' => $id,
			'nonce' => $id === null ? null : $visitor->createNonce( $id ),
		] );
	}
}
