<?php

namespace UbikChat;

use MediaWiki\Config\Config;
use MediaWiki\Http\HttpRequestFactory;
use MediaWiki\Rest\Response;
use Wikimedia\ObjectCache\BagOStuff;
use Wikimedia\ParamValidator\ParamValidator;

/** Responds with `{"access_token", "token_type", "expires_in"}`, or with `{"detail"}` and the status 401, 403, 429 or 502. */
class TokenHandler extends RouteHandler {

	/** Lifetime of a token in minutes. */
	private const TOKEN_MINUTES = 60;

	/** Period in seconds in which tokens are counted. */
	private const RATE_PERIOD = 3600;

	private HttpRequestFactory $http;
	private BagOStuff $stash;

	public function __construct( Config $config, HttpRequestFactory $http, BagOStuff $stash ) {
		parent::__construct( $config );
		$this->http = $http;
		$this->stash = $stash;
	}

	public function run(): Response {
		$visitor = $this->createVisitor();
		$id = $visitor->getExternalId();
		if ( $id === null ) {
			return $this->createResponse( 401, [ 'detail' => wfMessage( 'ubikchat-sign-in' )->text() ] );
		}
		if ( !$visitor->isValidNonce( $this->getValidatedParams()['nonce'], $id ) ) {
			return $this->createResponse( 403, [ 'detail' => wfMessage( 'ubikchat-outdated' )->text() ] );
		}
		if ( !$this->countRequest( $visitor->getRateKey() ) ) {
			$response = $this->createResponse( 429, [ 'detail' => wfMessage( 'ubikchat-limited' )->text() ] );
			$response->setHeader( 'Retry-After', (string)( self::RATE_PERIOD - time() % self::RATE_PERIOD ) );
			return $response;
		}
		$token = $this->requestToken( $id );
		if ( $token === null ) {
			return $this->createResponse( 502, [ 'detail' => wfMessage( 'ubikchat-failed' )->text() ] );
		}
		return $this->createResponse( 200, [
			'access_token' => $token,
			'token_type' => 'bearer',
			'expires_in' => self::TOKEN_MINUTES * 60,
		] );
	}

	/** @inheritDoc */
	public function getParamSettings() {
		return [
			'nonce' => [
				self::PARAM_SOURCE => 'post',
				ParamValidator::PARAM_TYPE => 'string',
				ParamValidator::PARAM_DEFAULT => '',
			],
		];
	}

	/** Counts a request in the stash, which all servers of the wiki share. Returns whether it is allowed. */
	private function countRequest( string $rateKey ): bool {
		$key = $this->stash->makeKey( 'ubik-chat-rate', md5( $rateKey ), intdiv( time(), self::RATE_PERIOD ) );
		return $this->stash->incrWithInit( $key, self::RATE_PERIOD ) <= $this->config->get( 'UbikChatRateLimit' );
	}

	/**
	 * Requests a token from the service with the API key; null if the service issues none. A redirect is not followed, because it would send
	 * the key to another server.
	 */
	private function requestToken( string $user ): ?string {
		$url = rtrim( $this->config->get( 'UbikChatServiceUrl' ), '/' ) . '/auth/token';
		$request = $this->http->create( $url, [
			'method' => 'POST',
			'timeout' => 15,
			'followRedirects' => false,
			'postData' => json_encode( [
				'external_user_id' => $user,
				'expires_in_minutes' => self::TOKEN_MINUTES,
			] ),
		], __METHOD__ );
		$request->setHeader( 'Content-Type', 'application/json' );
		$request->setHeader( 'X-API-Key', $this->config->get( 'UbikChatApiKey' ) );
		$status = $request->execute();
		$body = json_decode( $status->isOK() ? $request->getContent() : '', true );
		$token = is_array( $body ) ? $body['access_token'] ?? null : null;
		return is_string( $token ) && preg_match( '/^[\x21-\x7e]{1,8192}$/', $token ) ? $token : null;
	}
}
