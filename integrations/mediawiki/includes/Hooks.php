<?php

namespace UbikChat;

use MediaWiki\Config\Config;
use MediaWiki\Html\Html;
use MediaWiki\Output\OutputPage;
use MediaWiki\Parser\Parser;
use MediaWiki\Parser\ParserOutput;
use MediaWiki\SpecialPage\SpecialPage;

require_once __DIR__ . '/class-names.php';

/**
 * Adds the tag `<ubikchat>`, and the scripts to pages that contain it.
 *
 * The HTML of the tag is the same for every visitor, because parsed pages are cached.
 *
 * The optional interfaces of the hooks are not implemented: MediaWiki 1.42 and 1.46 have moved them to other namespaces.
 */
class Hooks {

	/** Marks the output of a page with a chat. */
	private const MARK = 'ubik-chat';

	private Config $config;

	public function __construct( Config $config ) {
		$this->config = $config;
	}

	/**
	 * @param Parser $parser
	 */
	public function onParserFirstCallInit( $parser ) {
		$parser->setHook( 'ubikchat', [ $this, 'renderTag' ] );
	}

	/**
	 * Renders `<ubikchat layout="inline" height="30rem" greeting="Hello" starters="One?|Two?" accent="#0a7d55" theme="dark" />`.
	 *
	 * @param string|null $text Content of the tag, which is ignored.
	 * @param string[] $attributes Written by an editor of the page.
	 * @param Parser $parser
	 * @return string HTML
	 */
	public function renderTag( $text, array $attributes, $parser ): string {
		$parser->getOutput()->setExtensionData( self::MARK, true );
		$chat = Attributes::sanitize( $attributes );
		return Html::element( 'div', [
			'class' => 'ubik-chat-place',
			'data-chat' => json_encode( $chat ),
		] );
	}

	/**
	 * @param OutputPage $outputPage
	 * @param ParserOutput $parserOutput
	 */
	public function onOutputPageParserOutput( $outputPage, $parserOutput ): void {
		if ( !$parserOutput->getExtensionData( self::MARK ) ) {
			return;
		}
		$outputPage->addHeadItem( 'ubik-chat-config', $this->printConfig( $outputPage ) );
		$outputPage->addHeadItem(
			'ubik-chat-style',
			Html::element( 'link', [ 'rel' => 'stylesheet', 'href' => $this->getUrl( 'place-chats.css' ) ] )
		);
		foreach ( [ 'place-chats.js', 'elements/ubik-elements.min.js' ] as $script ) {
			$outputPage->addHeadItem(
				'ubik-chat-' . $script,
				Html::element( 'script', [ 'src' => $this->getUrl( $script ), 'defer' => true ] )
			);
		}
	}

	/** The URL of a file of the extension. It contains a hash of the file, so that no cache returns the file of an earlier version. */
	private function getUrl( string $file ): string {
		$hash = hash_file( 'crc32b', dirname( __DIR__ ) . "/resources/$file" );
		return $this->config->get( 'ExtensionAssetsPath' ) . "/UbikChat/resources/$file?$hash";
	}

	/**
	 * The configuration for `place-chats.js`: a data block, which is not executed. It contains nothing about the visitor.
	 */
	private function printConfig( OutputPage $outputPage ): string {
		$rest = $this->config->get( 'RestPath' ) . '/ubik-chat/v1/';
		$config = [
			'baseUrl' => rtrim( $this->config->get( 'UbikChatServiceUrl' ), '/' ),
			'agentId' => $this->config->get( 'UbikChatAgentId' ),
			'session' => $rest . 'session',
			'token' => $rest . 'token',
			'signIn' => SpecialPage::getTitleFor( 'Userlogin' )->getLocalURL(),
			'signInReturn' => 'returnto',
			'signInPage' => $outputPage->getTitle()->getPrefixedDBkey(),
			'signInText' => $outputPage->msg( 'ubikchat-sign-in' )->text(),
			'failedText' => $outputPage->msg( 'ubikchat-failed' )->text(),
			'cookieText' => $outputPage->msg( 'ubikchat-cookies' )->text(),
		];
		// Without `<` and `&`, no value can end the element.
		$json = json_encode( $config, JSON_HEX_TAG | JSON_HEX_AMP );
		return Html::rawElement( 'script', [ 'type' => 'application/json', 'class' => 'ubik-chat-config' ], $json );
	}
}
