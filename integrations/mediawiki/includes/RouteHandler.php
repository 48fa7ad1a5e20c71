<?php

namespace UbikChat;

use MediaWiki\Config\Config;
use MediaWiki\Context\RequestContext;
use MediaWiki\Rest\Response;
use MediaWiki\Rest\SimpleHandler;

require_once __DIR__ . '/class-names.php';

/** Base class of the session route and the token route. */
abstract class RouteHandler extends SimpleHandler {

	protected Config $config;

	public function __construct( Config $config ) {
		$this->config = $config;
	}

	/** The visitor of the request. */
	protected function createVisitor(): Visitor {
		$request = RequestContext::getMain()->getRequest();
		return new Visitor( $this->config, $request, $this->getAuthority() );
	}

	/**
	 * A JSON response that no cache stores.
	 *
	 * @param int $status
	 * @param array<string, mixed> $body
	 */
	protected function createResponse( int $status, array $body ): Response {
		$response = $this->getResponseFactory()->createJson( $body );
		$response->setStatus( $status );
		$response->setHeader( 'Cache-Control', 'private, no-store' );
		$response->setHeader( 'Vary', 'Cookie' );
		return $response;
	}

	/** A private wiki may have pages that everyone may read, on which a guest gets the link to log in, or may chat. */
	public function needsReadAccess() {
		return false;
	}

	public function needsWriteAccess() {
		return false;
	}
}
